-- Words that an organization uses for one another, beside those that the search knows.

-- migrate:up
CREATE TABLE search_synonyms (
  organization_id text COLLATE "C" PRIMARY KEY CONSTRAINT search_synonyms_organization_fk REFERENCES organization,
  groups jsonb NOT NULL,
  updated_by text COLLATE "C" NOT NULL CONSTRAINT search_synonyms_author_fk REFERENCES account,
  updated_at timestamptz(3) NOT NULL
);

-- migrate:down
DROP TABLE search_synonyms;
