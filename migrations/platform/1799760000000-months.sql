-- Tables that grow with time are partitioned by month, so that what is too old goes with its month. Their partitions: one without a
-- beginning, which is the table from before; months; and a DEFAULT one for rows of months that nobody has made.

-- migrate:compatible Nothing of servers of the release before reads a foreign key; they remove events only where no claim is left
-- migrate:up
-- Ids begin with their time: as `leastIdAt` of the service makes it.
CREATE FUNCTION least_id_at(p_at date) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_rest bigint := extract(epoch FROM p_at)::bigint * 1000 + 10 * 62::bigint ^ 7;
  v_text text := '';
BEGIN
  FOR i IN 1..8 LOOP
    v_text := substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (v_rest % 62)::integer + 1, 1) || v_text;
    v_rest := v_rest / 62;
  END LOOP;
  RETURN v_text;
END
$$;

-- The bound between partitions at the beginning of a day in UTC: bounds of a table are compared as texts, byte by byte.
CREATE FUNCTION month_bound(p_parent regclass, p_day date) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN a.atttypid = 'text'::regtype THEN least_id_at(p_day) ELSE to_char(p_day, 'YYYY-MM-DD 00:00:00+00') END
    FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] WHERE p.partrelid = p_parent
$$;

-- The partitions of a table with the column of its bounds. Months have both bounds; the partition of all that is earlier has no lower
-- one, and the DEFAULT one has none.
CREATE FUNCTION month_partitions(p_parent regclass)
  RETURNS TABLE (name text, key text, lower text, upper text) LANGUAGE sql STABLE AS $$
  SELECT quote_ident(c.relname), quote_ident(a.attname), bounds[1], bounds[2]
    FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    JOIN pg_inherits i ON i.inhparent = p.partrelid
    JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT array_agg(CASE WHEN a.atttypid = 'text'::regtype THEN b.bound
             ELSE to_char(b.bound::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS+00') END ORDER BY b.place) AS bounds
       FROM unnest(ARRAY['FROM', 'TO']) WITH ORDINALITY AS side (word, place)
       CROSS JOIN LATERAL (SELECT side.place, substring(pg_get_expr(c.relpartbound, c.oid) FROM side.word || ' \(''([^'']+)''\)') AS bound) b) found
   WHERE p.partrelid = p_parent
   ORDER BY bounds[2] COLLATE "C" NULLS LAST
$$;

-- Makes the month that begins at a day, with the rows of the DEFAULT partition that belong to it. Tells `present` where it is there,
-- `busy` where others hold a lock, and `full` where more rows would have to be moved than are allowed, or twenty times as many to be read:
-- they stay, and so does the lack of the month. Writers wait for two locks at most, and for these rows.
CREATE FUNCTION make_month(p_parent regclass, p_month date, p_most integer) RETURNS text LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  v_lower text := month_bound(p_parent, p_month);
  v_upper text := month_bound(p_parent, (p_month + interval '1 month')::date);
  v_name text;
  v_default record;
  v_all integer;
  v_rows integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('make_month'), hashtext(p_parent::text)) THEN
    RETURN 'busy';
  END IF;
  IF EXISTS (SELECT FROM month_partitions(p_parent) m WHERE m.upper > v_lower COLLATE "C" AND (m.lower IS NULL OR m.lower < v_upper COLLATE "C")) THEN
    RETURN 'present';
  END IF;
  SELECT m.name, m.key INTO STRICT v_default FROM month_partitions(p_parent) m WHERE m.upper IS NULL;
  SELECT quote_ident(c.relname || to_char(p_month, '_YYYY_MM')) INTO STRICT v_name FROM pg_class c WHERE c.oid = p_parent;
  -- A row that was on its way into the DEFAULT partition would be refused by it once the month is there.
  EXECUTE format('LOCK TABLE ONLY %s IN SHARE ROW EXCLUSIVE MODE', p_parent);
  EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', v_default.name);
  EXECUTE format('SELECT count(*), count(*) FILTER (WHERE d.%2$s >= %3$L AND d.%2$s < %4$L) FROM (SELECT %2$s FROM ONLY %1$s LIMIT %5$s) d', v_default.name,
    v_default.key, v_lower, v_upper, 20 * p_most + 1) INTO v_all, v_rows;
  IF v_rows > p_most OR v_all > 20 * p_most THEN
    RETURN 'full';
  END IF;
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', v_name, p_parent);
  IF v_rows > 0 THEN
    -- Those that guard the rows: nothing of them goes, and nobody else can reach the partition meanwhile.
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', v_default.name);
    EXECUTE format('WITH moved AS (DELETE FROM ONLY %1$s WHERE %2$s >= %3$L AND %2$s < %4$L RETURNING *) INSERT INTO %5$s SELECT * FROM moved', v_default.name,
      v_default.key, v_lower, v_upper, v_name);
    EXECUTE format('ALTER TABLE %s ENABLE TRIGGER USER', v_default.name);
  END IF;
  CALL give_month_triggers(p_parent, v_name);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', p_parent, v_name, v_lower, v_upper);
  RETURN 'made';
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
  RETURN 'busy';
END
$$;

-- Triggers of statements on a partitioned table do not see statements on its partitions.
CREATE PROCEDURE give_month_triggers(p_parent regclass, p_partition text) LANGUAGE plpgsql AS $$
DECLARE
  v_trigger text;
BEGIN
  FOR v_trigger IN SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE t.tgrelid = p_parent AND NOT t.tgisinternal AND t.tgtype & 1 = 0 LOOP
    EXECUTE regexp_replace(v_trigger, ' ON \S+ ', format(' ON %s ', p_partition));
  END LOOP;
END
$$;

-- Drops a month that ends at a day or before, and tells the number of its rows; null where others hold a lock. Only what may delete rows of
-- the month may drop it. Writers of that month wait while its rows are counted, others for two locks at most.
CREATE FUNCTION drop_month(p_parent regclass, p_month text, p_before date) RETURNS bigint LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  v_rows bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('drop_month'), hashtext(p_parent::text)) THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM month_partitions(p_parent) m WHERE m.name = p_month AND m.lower IS NOT NULL AND m.upper <= month_bound(p_parent, p_before) COLLATE "C") THEN
    RETURN NULL;
  END IF;
  EXECUTE format('LOCK TABLE ONLY %s IN SHARE ROW EXCLUSIVE MODE', p_month);
  EXECUTE format('DELETE FROM ONLY %s WHERE false', p_month);
  EXECUTE format('SELECT count(*) FROM ONLY %s', p_month) INTO v_rows;
  EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', p_parent);
  EXECUTE format('DROP TABLE %s', p_month);
  RETURN v_rows;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
  RETURN NULL;
END
$$;

-- Autovacuum keeps statistics of partitions, and none of their table as a whole, by which joins are planned.
CREATE FUNCTION analyze_months(p_parent regclass) RETURNS void LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_stat_user_tables s WHERE s.relid = p_parent AND s.last_analyze > now() - interval '1 day') THEN
    RETURN;
  END IF;
  EXECUTE format('ANALYZE %s', p_parent);
EXCEPTION WHEN lock_not_available THEN
  RETURN;
END
$$;

-- The number of rows in the DEFAULT partition, up to a number.
CREATE FUNCTION rows_of_no_month(p_parent regclass, p_most integer) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_rows integer;
BEGIN
  EXECUTE format('SELECT count(*) FROM (SELECT FROM ONLY %s LIMIT %s) counted', (SELECT m.name FROM month_partitions(p_parent) m WHERE m.upper IS NULL), p_most)
    INTO v_rows;
  RETURN v_rows;
END
$$;

-- A partition cannot be dropped while a foreign key points to that table. Claims go with the event that they are for
-- because events go only where no claim is left.
ALTER TABLE event_claim DROP CONSTRAINT event_claim_event_fk;

-- The partition of all that is earlier ends two months from now: servers of the release before have gone by then, and what lies behind
-- (written by a server whose clock was wrong) waits in the DEFAULT one.
CREATE TABLE event_default (LIKE event INCLUDING DEFAULTS);
DO $$
DECLARE
  v_end text := least_id_at((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months')::date);
BEGIN
  WITH later AS (DELETE FROM event WHERE id >= v_end RETURNING *) INSERT INTO event_default SELECT * FROM later;
  EXECUTE format('ALTER TABLE event ADD CONSTRAINT event_earlier_check CHECK (id < %L) NOT VALID', v_end);
END
$$;

-- migrate:down
ALTER TABLE event DROP CONSTRAINT event_earlier_check;
INSERT INTO event SELECT * FROM event_default;
DROP TABLE event_default;
DELETE FROM event_claim c WHERE NOT EXISTS (SELECT FROM event e WHERE e.id = c.event_id);
ALTER TABLE event_claim ADD CONSTRAINT event_claim_event_fk FOREIGN KEY (event_id) REFERENCES event ON DELETE CASCADE;
DROP FUNCTION rows_of_no_month, analyze_months, drop_month, make_month, month_partitions, month_bound, least_id_at;
DROP PROCEDURE give_month_triggers;
