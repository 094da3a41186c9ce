-- The hostnames that sites claim. `site.hostname` is the one at which a site is served: only once DNS shows that it leads here,
-- where the operator wants that checked. Those of sites from before are served as they are.

-- migrate:up
CREATE TABLE custom_hostname (
  hostname text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  status text CONSTRAINT custom_hostname_status_check CHECK (status IN ('dns_passed', 'dns_no_cname', 'dns_wrong_cname', 'internal_error')),
  claimed_at timestamptz(3) NOT NULL,
  checked_at timestamptz(3),
  CONSTRAINT custom_hostname_site_key UNIQUE (organization_id, site_id),
  CONSTRAINT custom_hostname_site_fk FOREIGN KEY (organization_id, site_id) REFERENCES site (organization_id, id) ON DELETE CASCADE
);
INSERT INTO custom_hostname (hostname, organization_id, site_id, claimed_at) SELECT hostname, organization_id, id, updated_at FROM site WHERE hostname IS NOT NULL;

-- migrate:down
DROP TABLE custom_hostname;
