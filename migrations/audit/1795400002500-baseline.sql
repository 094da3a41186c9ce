-- The audit log, and what was removed from it because of its age.

-- migrate:up
-- Who did what to which object from where, one row for each organization that may know. It is written by the statement that
-- records the event, so it is there exactly when the change is; nothing refers to it, and it outlives all that it names.
CREATE TABLE audit_event (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  action text COLLATE "C" NOT NULL,
  source text NOT NULL,
  actor_type text NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  actor_label text,
  token_id text COLLATE "C",
  token_name text,
  ip text,
  user_agent text,
  request_id text,
  target_type text NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  target_label text,
  payload jsonb NOT NULL,
  CONSTRAINT audit_event_actor_check CHECK (actor_type IN ('user', 'integration', 'system')),
  CONSTRAINT audit_event_source_check CHECK (source IN ('api', 'integration', 'workflow', 'script'))
);
-- One for each filter, all in the order of the list.
CREATE INDEX audit_event_time_idx ON audit_event (organization_id, occurred_at, id);
CREATE INDEX audit_event_action_idx ON audit_event (organization_id, action, occurred_at, id);
CREATE INDEX audit_event_actor_idx ON audit_event (organization_id, actor_id, occurred_at, id);
CREATE INDEX audit_event_target_idx ON audit_event (organization_id, target_id, occurred_at, id);
-- For the removal of what is older than the log is kept.
CREATE INDEX audit_event_age_idx ON audit_event (occurred_at);

-- What was removed because of its age. To add a row is the only way to remove anything: it takes the oldest thousand before a time.
CREATE TABLE audit_removal (
  id text COLLATE "C" PRIMARY KEY,
  before timestamptz(3) NOT NULL,
  removed_at timestamptz(3) NOT NULL,
  removed integer NOT NULL DEFAULT 0
);

-- Rows are never changed, and only go from within the trigger of audit_removal: a statement that comes from outside stands one
-- level above that. Nothing else may have a trigger or a cascading foreign key that reaches these tables.
CREATE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'audit_event' AND pg_trigger_depth() > 1 THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the audit log cannot be changed' USING ERRCODE = 'insufficient_privilege', HINT = 'Rows go by themselves after AUDIT_RETENTION_DAYS.';
END
$$;
CREATE TRIGGER audit_event_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();
CREATE TRIGGER audit_removal_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_removal FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();

-- Whatever the configuration says, nothing younger than 29 days goes, by the clock of the database. Without anything to remove
-- there is no row.
CREATE FUNCTION remove_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER audit_removal_removes BEFORE INSERT ON audit_removal FOR EACH ROW EXECUTE FUNCTION remove_audit_events();

-- migrate:down
DROP TABLE audit_removal, audit_event;
DROP FUNCTION remove_audit_events;
DROP FUNCTION keep_audit_events;
