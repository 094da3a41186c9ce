-- The audit log is partitioned by month; the table from before becomes the first partition as it is. Each partition is guarded as the
-- table is.

-- migrate:compatible Servers of the release before read and write the partitioned table by the same statements
-- migrate:up
ALTER TABLE audit_event RENAME TO audit_event_earlier;
ALTER TABLE audit_event_earlier DROP CONSTRAINT audit_event_pkey;
ALTER TABLE audit_event_earlier ADD CONSTRAINT audit_event_earlier_pkey PRIMARY KEY USING INDEX audit_event_earlier_pkey;
ALTER INDEX audit_event_time_idx RENAME TO audit_event_earlier_time_idx;
ALTER INDEX audit_event_action_idx RENAME TO audit_event_earlier_action_idx;
ALTER INDEX audit_event_actor_idx RENAME TO audit_event_earlier_actor_idx;
ALTER INDEX audit_event_target_idx RENAME TO audit_event_earlier_target_idx;
-- Lines of this partition alone are removed one by one, in the order of their age.
ALTER INDEX audit_event_age_idx RENAME TO audit_event_earlier_age_idx;

CREATE TABLE audit_event (
  LIKE audit_event_earlier INCLUDING DEFAULTS,
  CONSTRAINT audit_event_pkey PRIMARY KEY (id, occurred_at),
  CONSTRAINT audit_event_actor_check CHECK (actor_type IN ('user', 'integration', 'system')),
  CONSTRAINT audit_event_source_check CHECK (source IN ('api', 'integration', 'workflow', 'script'))
) PARTITION BY RANGE (occurred_at);
CREATE INDEX audit_event_time_idx ON audit_event (organization_id, occurred_at, id);
CREATE INDEX audit_event_action_idx ON audit_event (organization_id, action, occurred_at, id);
CREATE INDEX audit_event_actor_idx ON audit_event (organization_id, actor_id, occurred_at, id);
CREATE INDEX audit_event_target_idx ON audit_event (organization_id, target_id, occurred_at, id);

-- A month goes as lines do: by the trigger of audit_removal alone.
CREATE OR REPLACE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME <> 'audit_removal' AND pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'insufficient_privilege', HINT = 'Rows go by themselves after AUDIT_RETENTION_DAYS.';
END
$$;
CREATE TRIGGER audit_event_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();
CALL give_month_triggers('audit_event', 'audit_event_default');

-- Takes the oldest thousand lines before a time, or else one whole month that lies before it.
CREATE OR REPLACE FUNCTION remove_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_partition text;
BEGIN
  IF NEW.before > now() - interval '29 days' THEN
    RAISE EXCEPTION 'the audit log is kept for 29 days at least' USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOREACH v_partition IN ARRAY ARRAY(SELECT m.name FROM month_partitions('audit_event') m WHERE m.lower IS NULL) LOOP
    EXECUTE format('DELETE FROM ONLY %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM ONLY %1$s WHERE occurred_at < $1 ORDER BY occurred_at LIMIT 1000))', v_partition)
      USING NEW.before;
    GET DIAGNOSTICS NEW.removed = ROW_COUNT;
    IF NEW.removed > 0 THEN
      RETURN NEW;
    END IF;
  END LOOP;
  FOREACH v_partition IN ARRAY ARRAY(SELECT m.name FROM month_partitions('audit_event') m WHERE m.lower IS NOT NULL) LOOP
    NEW.removed := drop_month('audit_event', v_partition, (NEW.before AT TIME ZONE 'UTC')::date);
    -- It is not over, or busy: so are those behind it.
    EXIT WHEN NEW.removed IS NULL;
    IF NEW.removed > 0 THEN
      RETURN NEW;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  v_end text := (SELECT substring(pg_get_constraintdef(k.oid) FROM '''([^'']+)''') FROM pg_constraint k
                  WHERE k.conrelid = 'audit_event_earlier'::regclass AND k.conname = 'audit_event_earlier_check');
BEGIN
  EXECUTE format('ALTER TABLE audit_event ATTACH PARTITION audit_event_earlier FOR VALUES FROM (MINVALUE) TO (%L)', v_end);
END
$$;
ALTER TABLE audit_event_earlier DROP CONSTRAINT audit_event_earlier_check;
ALTER TABLE audit_event ATTACH PARTITION audit_event_default DEFAULT;
SELECT make_month('audit_event', (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date, 5000);

-- migrate:down
ALTER TABLE audit_event DETACH PARTITION audit_event_default;
DROP TRIGGER audit_event_kept ON audit_event_default;
ALTER TABLE audit_event RENAME TO audit_event_by_month;
CREATE TABLE audit_event (
  LIKE audit_event_by_month INCLUDING DEFAULTS,
  CONSTRAINT audit_event_actor_check CHECK (actor_type IN ('user', 'integration', 'system')),
  CONSTRAINT audit_event_source_check CHECK (source IN ('api', 'integration', 'workflow', 'script'))
);
INSERT INTO audit_event SELECT * FROM audit_event_by_month;
DO $$
BEGIN
  EXECUTE format('ALTER TABLE audit_event ADD CONSTRAINT audit_event_earlier_check CHECK (occurred_at < %L)',
    (SELECT max(m.upper COLLATE "C") FROM month_partitions('audit_event_by_month') m));
END
$$;
DROP TABLE audit_event_by_month;
ALTER TABLE audit_event ADD CONSTRAINT audit_event_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX audit_event_earlier_pkey ON audit_event (id, occurred_at);
CREATE INDEX audit_event_time_idx ON audit_event (organization_id, occurred_at, id);
CREATE INDEX audit_event_action_idx ON audit_event (organization_id, action, occurred_at, id);
CREATE INDEX audit_event_actor_idx ON audit_event (organization_id, actor_id, occurred_at, id);
CREATE INDEX audit_event_target_idx ON audit_event (organization_id, target_id, occurred_at, id);
CREATE INDEX audit_event_age_idx ON audit_event (occurred_at);
CREATE TRIGGER audit_event_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();
CREATE OR REPLACE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'audit_event' AND pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'insufficient_privilege', HINT = 'Rows go by themselves after AUDIT_RETENTION_DAYS.';
END
$$;
CREATE OR REPLACE FUNCTION remove_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.before > now() - interval '29 days' THEN
    RAISE EXCEPTION 'the audit log is kept for 29 days at least' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM audit_event WHERE id IN (SELECT a.id FROM audit_event a WHERE a.occurred_at < NEW.before ORDER BY a.occurred_at LIMIT 1000);
  GET DIAGNOSTICS NEW.removed = ROW_COUNT;
  IF NEW.removed = 0 THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;
