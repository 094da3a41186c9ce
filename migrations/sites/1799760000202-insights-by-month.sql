-- What readers of sites do is partitioned by month; the table from before becomes the first partition as it is.

-- migrate:compatible Servers of the release before read and write the partitioned table by the same statements; they remove rows by their places, which they find in the first partition alone until it ends
-- migrate:up
ALTER TABLE site_insight RENAME TO site_insight_earlier;
ALTER INDEX site_insight_range_idx RENAME TO site_insight_earlier_range_idx;
-- Rows of this partition alone are removed one by one.
ALTER INDEX site_insight_age_idx RENAME TO site_insight_earlier_age_idx;

CREATE TABLE site_insight (LIKE site_insight_earlier INCLUDING DEFAULTS) PARTITION BY RANGE (at);
CREATE INDEX site_insight_range_idx ON site_insight (site_id, at);

DO $$
DECLARE
  v_end text := (SELECT substring(pg_get_constraintdef(k.oid) FROM '''([^'']+)''') FROM pg_constraint k
                  WHERE k.conrelid = 'site_insight_earlier'::regclass AND k.conname = 'site_insight_earlier_check');
BEGIN
  EXECUTE format('ALTER TABLE site_insight ATTACH PARTITION site_insight_earlier FOR VALUES FROM (MINVALUE) TO (%L)', v_end);
END
$$;
ALTER TABLE site_insight_earlier DROP CONSTRAINT site_insight_earlier_check;
ALTER TABLE site_insight ATTACH PARTITION site_insight_default DEFAULT;
SELECT make_month('site_insight', (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date, 5000);

-- migrate:down
ALTER TABLE site_insight DETACH PARTITION site_insight_default;
ALTER TABLE site_insight RENAME TO site_insight_by_month;
CREATE TABLE site_insight (LIKE site_insight_by_month INCLUDING DEFAULTS);
INSERT INTO site_insight SELECT * FROM site_insight_by_month;
DO $$
BEGIN
  EXECUTE format('ALTER TABLE site_insight ADD CONSTRAINT site_insight_earlier_check CHECK (at < %L)',
    (SELECT max(m.upper COLLATE "C") FROM month_partitions('site_insight_by_month') m));
END
$$;
DROP TABLE site_insight_by_month;
CREATE INDEX site_insight_range_idx ON site_insight (site_id, at);
CREATE INDEX site_insight_age_idx ON site_insight USING brin (at) WITH (autosummarize = on);
