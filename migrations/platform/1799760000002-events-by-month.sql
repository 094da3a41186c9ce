-- Events are partitioned by month; the table from before becomes the first partition as it is.

-- migrate:compatible Servers of the release before read and write the partitioned table by the same statements
-- migrate:up
ALTER TABLE event RENAME TO event_earlier;
ALTER INDEX event_pkey RENAME TO event_earlier_pkey;
ALTER INDEX event_organization_idx RENAME TO event_earlier_organization_idx;
ALTER INDEX event_space_idx RENAME TO event_earlier_space_idx;

CREATE TABLE event (LIKE event_earlier INCLUDING DEFAULTS) PARTITION BY RANGE (id);
ALTER TABLE event ADD CONSTRAINT event_pkey PRIMARY KEY (id);
CREATE INDEX event_organization_idx ON event (organization_id, at DESC, id DESC);
CREATE INDEX event_space_idx ON event (space_id, at DESC, id DESC) WHERE space_id IS NOT NULL;

DO $$
DECLARE
  v_end text := (SELECT substring(pg_get_constraintdef(k.oid) FROM '''(\w+)''') FROM pg_constraint k
                  WHERE k.conrelid = 'event_earlier'::regclass AND k.conname = 'event_earlier_check');
BEGIN
  EXECUTE format('ALTER TABLE event ATTACH PARTITION event_earlier FOR VALUES FROM (MINVALUE) TO (%L)', v_end);
END
$$;
ALTER TABLE event_earlier DROP CONSTRAINT event_earlier_check;
ALTER TABLE event ATTACH PARTITION event_default DEFAULT;

SELECT make_month('event', (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date, 5000);

-- migrate:down
ALTER TABLE event DETACH PARTITION event_default;
ALTER TABLE event RENAME TO event_by_month;
CREATE TABLE event (LIKE event_by_month INCLUDING DEFAULTS);
INSERT INTO event SELECT * FROM event_by_month;
DO $$
BEGIN
  EXECUTE format('ALTER TABLE event ADD CONSTRAINT event_earlier_check CHECK (id < %L)', (SELECT max(m.upper COLLATE "C") FROM month_partitions('event_by_month') m));
END
$$;
DROP TABLE event_by_month;
ALTER TABLE event ADD CONSTRAINT event_pkey PRIMARY KEY (id);
CREATE INDEX event_organization_idx ON event (organization_id, at DESC, id DESC);
CREATE INDEX event_space_idx ON event (space_id, at DESC, id DESC) WHERE space_id IS NOT NULL;
