# Runs one host of PostgreSQL. The one that PRIMARY names (OWN is this one) accepts changes, and makes a database if there is none;
# any other begins as a copy of it, and follows it. To make it the primary: pg_ctl promote.
set -eu
if [ "$PRIMARY" = "$OWN" ]; then
  [ -s "$PGDATA/PG_VERSION" ] || exec docker-entrypoint.sh postgres "$@"
elif [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host="$PRIMARY" --port="${PRIMARY_PORT:-5432}" --username=bindery --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf; do
    sleep 2
  done
  chmod 700 "$PGDATA"
elif [ ! -e "$PGDATA/standby.signal" ]; then
  echo "This host accepted changes, and $PRIMARY is the primary now: remove the volume of this one, so that it begins as a copy." >&2
  sleep 2
  exit 1
fi
exec postgres "$@"
