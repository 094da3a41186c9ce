-- A search reads the sketch of each page of its spaces: without a short header PostgreSQL reads it where it lies, and copies none.

-- migrate:up
ALTER TABLE page_embedding ALTER COLUMN sketch SET STORAGE PLAIN;

-- migrate:down
ALTER TABLE page_embedding ALTER COLUMN sketch SET STORAGE EXTENDED;
