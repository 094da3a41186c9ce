-- Fonts that organizations upload for their sites; each weight has one uploaded file.

-- migrate:up
CREATE TABLE custom_font (
  id text COLLATE "C" CONSTRAINT custom_font_pkey PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT custom_font_organization_fk REFERENCES organization,
  font_family text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX custom_font_organization_idx ON custom_font (organization_id, created_at, id);

CREATE TABLE custom_font_face (
  font_id text COLLATE "C" NOT NULL CONSTRAINT custom_font_face_font_fk REFERENCES custom_font ON DELETE CASCADE,
  weight integer NOT NULL,
  upload_id text COLLATE "C" NOT NULL CONSTRAINT custom_font_face_upload_fk REFERENCES upload,
  CONSTRAINT custom_font_face_pkey PRIMARY KEY (font_id, weight)
);
CREATE INDEX custom_font_face_upload_idx ON custom_font_face (upload_id);

-- migrate:down
DROP TABLE custom_font_face, custom_font;
