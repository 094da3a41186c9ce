-- Announcements of what the database itself sees change.

-- migrate:up

-- Announces a text on a channel to all servers once the transaction is committed. The server whose transaction it is gets it as a
-- message on its own connection as well, which it knows before the end of the transaction: so it never lags behind its own writes.
-- The number of the transaction tells both to be the same.
CREATE FUNCTION announce(p_channel text, p_payload text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  numbered text := p_payload || ' #' || pg_current_xact_id();
BEGIN
  PERFORM pg_notify(p_channel, numbered);
  RAISE INFO USING ERRCODE = 'BN001', MESSAGE = p_channel || ' ' || numbered;
END $$;

-- migrate:down
DROP FUNCTION announce;
