-- migrate:up

-- Clusters of an engine before this one are built again. The second column tells of a rebuild by an older replica, which
-- raises the version of the model only.
ALTER TABLE conversation_analysis
  ADD engine_version integer NOT NULL DEFAULT 0,
  ADD engine_model_version integer NOT NULL DEFAULT 0;

-- migrate:down

ALTER TABLE conversation_analysis DROP engine_version, DROP engine_model_version;
