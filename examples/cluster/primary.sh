# Runs when the primary is made: lets replicas copy it and follow it.
set -eu
echo 'host replication all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
