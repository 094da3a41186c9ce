-- What organizations tell agents that read their content.

-- migrate:up
CREATE TABLE agent_instructions (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT agent_instructions_organization_fk REFERENCES organization,
  instructions jsonb NOT NULL,
  updated_by text COLLATE "C" NOT NULL CONSTRAINT agent_instructions_author_fk REFERENCES account,
  updated_at timestamptz(3) NOT NULL
);

-- migrate:down
DROP TABLE agent_instructions;
