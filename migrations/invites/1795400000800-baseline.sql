-- Ways into organizations, spaces and collections: links and letters.

-- migrate:up
-- A link that lets whoever has its secret into the organization (space and collection null), or as a guest to one space
-- or collection. The secret is what the API shows as the link's id; it is found by its hash and read back by decryption.
CREATE TABLE invite_link (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT invite_link_organization_fk REFERENCES organization,
  space_id text COLLATE "C",
  collection_id text COLLATE "C",
  role access_level NOT NULL,
  hash bytea NOT NULL,
  sealed sealed NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT invite_link_creator_fk REFERENCES account,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT invite_link_target_check CHECK (space_id IS NULL OR collection_id IS NULL),
  CONSTRAINT invite_link_space_fk FOREIGN KEY (organization_id, space_id) REFERENCES space (organization_id, id),
  CONSTRAINT invite_link_collection_fk FOREIGN KEY (organization_id, collection_id) REFERENCES collection (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX invite_link_hash_key ON invite_link (hash);
CREATE INDEX invite_link_list_idx ON invite_link (organization_id, created_at, id);
CREATE INDEX invite_link_space_idx ON invite_link (space_id) WHERE space_id IS NOT NULL;
CREATE INDEX invite_link_collection_idx ON invite_link (collection_id) WHERE collection_id IS NOT NULL;

-- A letter to one address. `mailed` ones went out by e-mail, so that their secret proves the address.
CREATE TABLE invitation (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL CONSTRAINT invitation_organization_fk REFERENCES organization,
  email text NOT NULL,
  role access_level NOT NULL,
  sso boolean NOT NULL DEFAULT false,
  mailed boolean NOT NULL,
  hash bytea NOT NULL,
  sealed sealed NOT NULL,
  created_by text COLLATE "C" NOT NULL CONSTRAINT invitation_creator_fk REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX invitation_hash_key ON invitation (hash);
CREATE UNIQUE INDEX invitation_email_key ON invitation (organization_id, lower(email));
CREATE INDEX invitation_list_idx ON invitation (organization_id, created_at, id);

-- migrate:down
DROP TABLE invitation, invite_link;
