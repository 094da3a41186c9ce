-- The partition of all that is earlier ends two months from now, as that of events.

-- migrate:compatible The constraint refuses times of the month after next, which no server writes
-- migrate:up
CREATE TABLE site_insight_default (LIKE site_insight INCLUDING DEFAULTS);
DO $$
DECLARE
  v_end text := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date || ' 00:00:00+00';
BEGIN
  WITH later AS (DELETE FROM site_insight WHERE at >= v_end::timestamptz RETURNING *) INSERT INTO site_insight_default SELECT * FROM later;
  EXECUTE format('ALTER TABLE site_insight ADD CONSTRAINT site_insight_earlier_check CHECK (at < %L) NOT VALID', v_end);
END
$$;

-- migrate:down
ALTER TABLE site_insight DROP CONSTRAINT site_insight_earlier_check;
INSERT INTO site_insight SELECT * FROM site_insight_default;
DROP TABLE site_insight_default;
