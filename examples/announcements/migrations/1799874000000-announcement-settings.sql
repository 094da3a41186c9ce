-- migrate:up
CREATE TABLE announcement_settings (
  organization_id text COLLATE "C" CONSTRAINT announcement_settings_pk PRIMARY KEY,
  ends_after_days integer NOT NULL,
  CONSTRAINT announcement_settings_organization_fk
    FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE,
  CONSTRAINT announcement_settings_days_check CHECK (ends_after_days BETWEEN 0 AND 365)
);

-- migrate:down
DROP TABLE announcement_settings;
