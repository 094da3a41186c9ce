# Runs PgBouncer in front of the primary, with a session of the database for each transaction.
set -eu
cd "${RUN_FOLDER:-/run/pgbouncer}"
printf '"bindery" "%s"\n' "$POSTGRES_PASSWORD" >users.txt
cat >pgbouncer.ini <<INI
[databases]
bindery = host=${PRIMARY:-database} port=${PRIMARY_PORT:-5432}

[pgbouncer]
listen_addr = ${LISTEN:-*}
listen_port = ${PORT:-6432}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = users.txt
pool_mode = transaction
default_pool_size = 20
reserve_pool_size = 5
max_client_conn = 500
query_wait_timeout = 10
ignore_startup_parameters = extra_float_digits
INI
exec pgbouncer pgbouncer.ini
