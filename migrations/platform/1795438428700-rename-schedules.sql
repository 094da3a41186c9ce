-- The scheduled jobs that look after webhooks and conversations are named by what they do.

-- migrate:up
UPDATE schedule_tick SET name = replace(name, '.tend', '.maintain') WHERE name IN ('webhooks.tend', 'conversations.tend');

-- migrate:down
UPDATE schedule_tick SET name = replace(name, '.maintain', '.tend') WHERE name IN ('webhooks.maintain', 'conversations.maintain');
