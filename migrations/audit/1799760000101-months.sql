-- The partition of all that is earlier ends two months from now, as that of events.

-- migrate:compatible The constraint refuses times of the month after next, which no server writes
-- migrate:up
CREATE TABLE audit_event_default (LIKE audit_event INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
-- The lines are guarded; those that move are not lost.
ALTER TABLE audit_event DISABLE TRIGGER audit_event_kept;
DO $$
DECLARE
  v_end text := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date || ' 00:00:00+00';
BEGIN
  WITH later AS (DELETE FROM audit_event WHERE occurred_at >= v_end::timestamptz RETURNING *) INSERT INTO audit_event_default SELECT * FROM later;
  EXECUTE format('ALTER TABLE audit_event ADD CONSTRAINT audit_event_earlier_check CHECK (occurred_at < %L) NOT VALID', v_end);
END
$$;
ALTER TABLE audit_event ENABLE TRIGGER audit_event_kept;

-- migrate:down
ALTER TABLE audit_event DROP CONSTRAINT audit_event_earlier_check;
INSERT INTO audit_event SELECT * FROM audit_event_default;
DROP TABLE audit_event_default;
