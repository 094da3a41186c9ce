# Runs a replica: copies the primary if there is nothing yet, and follows it. To make it the primary: pg_ctl promote.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host="$PRIMARY" --port="${PRIMARY_PORT:-5432}" --username=bindery --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf; do
    sleep 2
  done
  chmod 700 "$PGDATA"
fi
exec postgres "$@"
