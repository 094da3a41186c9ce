FROM debian:12-slim
RUN apt-get update && apt-get install --yes --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/*
COPY pgbouncer.sh /pgbouncer.sh
USER postgres
EXPOSE 6432
CMD ["bash", "/pgbouncer.sh"]
