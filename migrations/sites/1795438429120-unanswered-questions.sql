-- Sites may record the questions of readers that they do not answer.

-- migrate:up
ALTER TABLE site ADD COLUMN unanswered_questions text NOT NULL DEFAULT 'discarded'
  CONSTRAINT site_unanswered_questions_check CHECK (unanswered_questions IN ('discarded', 'recorded'));

-- migrate:down
ALTER TABLE site DROP COLUMN unanswered_questions;
