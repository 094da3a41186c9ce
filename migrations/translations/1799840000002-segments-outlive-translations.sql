-- Texts of a deleted translation are removed in batches, and not with the row of the translation in one statement.

-- migrate:compatible rows have their organization already; what servers of the release before leave is removed within the hour
-- migrate:up
ALTER TABLE translation_segment DROP CONSTRAINT translation_segment_translation_fk;
ALTER TABLE translation_segment ADD CONSTRAINT translation_segment_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id);
ALTER TABLE translation_correction DROP CONSTRAINT translation_correction_translation_fk;
ALTER TABLE translation_correction ADD CONSTRAINT translation_correction_organization_fk FOREIGN KEY (organization_id) REFERENCES organization (id);

-- migrate:down
DELETE FROM translation_segment s WHERE NOT EXISTS (SELECT FROM translation t WHERE t.organization_id = s.organization_id AND t.id = s.translation_id);
DELETE FROM translation_correction c WHERE NOT EXISTS (SELECT FROM translation t WHERE t.organization_id = c.organization_id AND t.id = c.translation_id);
ALTER TABLE translation_correction DROP CONSTRAINT translation_correction_organization_fk;
ALTER TABLE translation_correction ADD CONSTRAINT translation_correction_translation_fk FOREIGN KEY (organization_id, translation_id)
  REFERENCES translation (organization_id, id) ON DELETE CASCADE;
ALTER TABLE translation_segment DROP CONSTRAINT translation_segment_organization_fk;
ALTER TABLE translation_segment ADD CONSTRAINT translation_segment_translation_fk FOREIGN KEY (organization_id, translation_id)
  REFERENCES translation (organization_id, id) ON DELETE CASCADE;
