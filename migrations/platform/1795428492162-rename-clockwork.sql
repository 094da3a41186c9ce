-- The table of the ticks of schedules gets the name of what its rows are.

-- migrate:up
ALTER TABLE clockwork RENAME TO schedule_tick;
ALTER TABLE schedule_tick RENAME CONSTRAINT clockwork_pkey TO schedule_tick_pkey;

-- migrate:down
ALTER TABLE schedule_tick RENAME CONSTRAINT schedule_tick_pkey TO clockwork_pkey;
ALTER TABLE schedule_tick RENAME TO clockwork;
