-- A small installation as 0.1.0 keeps it, put in after its migrations: an organization of two members with a team, a collection, a
-- space of one page with a comment, a change request that adds another page, and a site. Totals are kept by triggers. The token of
-- Ada is `bnd_of_released_databases`; ids end in zeros. Rows of the audit log and of events are samples.

INSERT INTO account (id, display_name, email, email_verified, photo_url, disabled, version, created_at) VALUES
  ('Ada00000000000000000', 'Ada', 'ada@example.com', true, NULL, false, 1, '2026-11-20T09:00:00Z'),
  ('Ben00000000000000000', 'Ben', 'ben@example.com', true, NULL, false, 1, '2026-11-20T09:00:00Z');

INSERT INTO api_token (id, user_id, organization_id, name, hash, hint, scopes, expires_at, last_used_at, created_at) VALUES
  ('Token000000000000000', 'Ada00000000000000000', NULL, 'Laptop', '\x0924bbeb330ae0a4b1801483a394a43d2826b1bd18830c381de7e4c4456b7761', 'bnd_of_r', NULL, NULL, NULL, '2026-11-20T09:00:00Z');

INSERT INTO organization (id, title, email_domains, hostname, type, use_case, community_type, default_role, sso, ai, invite_links, merge_rules, logo, version, created_at) VALUES
  ('Kestrel0000000000000', 'Kestrel', '{}', NULL, 'business', NULL, NULL, 'none', false, false, true, '{"type": "none"}', NULL, 1, '2026-11-20T09:00:00Z');

INSERT INTO member (organization_id, user_id, role, disabled, sso, version, joined_at, last_seen_at) VALUES
  ('Kestrel0000000000000', 'Ada00000000000000000', 'admin', false, false, 1, '2026-11-20T09:00:00Z', NULL),
  ('Kestrel0000000000000', 'Ben00000000000000000', 'read', false, false, 1, '2026-11-20T09:00:00Z', NULL);

INSERT INTO team (id, organization_id, title, version, created_at) VALUES
  ('Writers0000000000000', 'Kestrel0000000000000', 'Writers', 1, '2026-11-20T09:00:00Z');

INSERT INTO team_member (organization_id, team_id, user_id, role, created_at) VALUES
  ('Kestrel0000000000000', 'Writers0000000000000', 'Ben00000000000000000', 'member', '2026-11-20T09:00:00Z');

INSERT INTO collection (id, organization_id, parent_id, title, description, default_level, position, created_by, version, created_at) VALUES
  ('Products000000000000', 'Kestrel0000000000000', NULL, 'Products', NULL, NULL, 'V', 'Ada00000000000000000', 1, '2026-11-20T09:00:00Z');

INSERT INTO space (id, organization_id, collection_id, title, emoji, icon, edit_mode, language, default_level, merge_rules, position, revision_id, sequence, change_request_number, created_by, version, created_at, updated_at, deleted_at) VALUES
  ('Guide000000000000000', 'Kestrel0000000000000', 'Products000000000000', 'Guide', NULL, NULL, 'live', NULL, NULL, '{"type": "inherit"}', 'V', 'Revision100000000000', 1, 1, 'Ada00000000000000000', 2, '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z', NULL);

INSERT INTO space_team_grant (space_id, team_id, role, created_at) VALUES
  ('Guide000000000000000', 'Writers0000000000000', 'edit', '2026-11-20T09:00:00Z');

INSERT INTO revision (id, space_id, line, sequence, base_sequence, base_revision_id, parents, type, author_id, message, git, merged_from, created_at, rolled_back_to) VALUES
  ('Revision000000000000', 'Guide000000000000000', '', 0, 0, NULL, '{}', 'edits', 'Ada00000000000000000', NULL, NULL, NULL, '2026-11-20T09:00:00Z', NULL),
  ('Revision100000000000', 'Guide000000000000000', '', 1, 1, NULL, '{Revision000000000000}', 'edits', 'Ada00000000000000000', NULL, NULL, NULL, '2026-11-20T09:00:00Z', NULL),
  ('RevisionOfRequest000', 'Guide000000000000000', 'Request0000000000000', 1, 1, 'Revision100000000000', '{Revision100000000000}', 'edits', 'Ada00000000000000000', NULL, NULL, NULL, '2026-11-20T09:00:00Z', NULL);

INSERT INTO document (space_id, hash, body, words, created_at, anchors, sections, section_texts) VALUES
  ('Guide000000000000000', '\x05c686367640f8932cad16dc84d1178213324769275876220588aeb03752004f', '{"data":{"schemaVersion":8},"nodes":[{"data":{},"isVoid":false,"key":"9FaM2h3A9X","nodes":[{"leaves":[{"marks":[],"object":"leaf","text":"Said in the first release."}],"object":"text"}],"object":"block","type":"paragraph"}],"object":"document"}', 5, '2026-11-20T09:00:00Z', '{}', '[{"text": "Said in the first release.", "title": "", "anchor": ""}]', '{"\\x5758081173b25e2a845ef8fad0dd79a90206f38516a6e702ac86441ef2941d9a"}'),
  ('Guide000000000000000', '\xc2f9622f9221faf87d9750cd1e6015bfb28898a80f824c60ecba3db58ffa4cbe', '{"data":{"schemaVersion":8},"nodes":[{"data":{},"isVoid":false,"key":"SDglRfgyGV","nodes":[{"leaves":[{"marks":[],"object":"leaf","text":"Proposed."}],"object":"text"}],"object":"block","type":"paragraph"}],"object":"document"}', 1, '2026-11-20T09:00:00Z', '{}', '[{"text": "Proposed.", "title": "", "anchor": ""}]', '{"\\xfb48e257801eac0efcd79c25ea2d2d5bbb542ec0e7d98d834d824d5907dc5b0e"}');

INSERT INTO content_item (space_id, line, kind, id, deleted, parent_id, position, type, slug, title, props, hash, created_at, updated_at) VALUES
  ('Guide000000000000000', '', 'page', 'PageBegin00000000000', false, '', 'V', 'document', 'begin-here', 'Begin here', '{}', '\x05c686367640f8932cad16dc84d1178213324769275876220588aeb03752004f', '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z'),
  ('Guide000000000000000', 'Request0000000000000', 'page', 'PageNext000000000000', false, '', 'V0001', 'document', 'next', 'Next', '{}', '\xc2f9622f9221faf87d9750cd1e6015bfb28898a80f824c60ecba3db58ffa4cbe', '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z');

INSERT INTO content_undo (space_id, line, sequence, kind, id, existed, deleted, parent_id, position, type, slug, title, props, hash, created_at, updated_at) VALUES
  ('Guide000000000000000', '', 1, 'page', 'PageBegin00000000000', false, false, '', '', '', NULL, '', '{}', NULL, NULL, NULL),
  ('Guide000000000000000', 'Request0000000000000', 1, 'page', 'PageNext000000000000', false, false, '', '', '', NULL, '', '{}', NULL, NULL, NULL);

INSERT INTO content_total (space_id, line, kind, count) VALUES
  ('Guide000000000000000', '', 'page', 1),
  ('Guide000000000000000', 'Request0000000000000', 'page', 1);

INSERT INTO page_current (space_id, page_id, hash, title_vector) VALUES
  ('Guide000000000000000', 'PageBegin00000000000', '\x05c686367640f8932cad16dc84d1178213324769275876220588aeb03752004f', '''begin'':1 ''here'' ''~Guide000000000000000'' ''~Guide000000000000000.1''');

INSERT INTO section_vector (space_id, hash, heading_vector, vector) VALUES
  ('Guide000000000000000', '\x5758081173b25e2a845ef8fad0dd79a90206f38516a6e702ac86441ef2941d9a', '''~Guide000000000000000''', '''first'':4 ''in'' ''releas'':5 ''release'' ''said'':1 ''the'' ''~Guide000000000000000'' ''~Guide000000000000000.1'''),
  ('Guide000000000000000', '\xfb48e257801eac0efcd79c25ea2d2d5bbb542ec0e7d98d834d824d5907dc5b0e', '''~Guide000000000000000''', '''propos'':1 ''proposed'' ''~Guide000000000000000'' ''~Guide000000000000000.1''');

INSERT INTO section_current (space_id, hash, page_id) VALUES
  ('Guide000000000000000', '\x5758081173b25e2a845ef8fad0dd79a90206f38516a6e702ac86441ef2941d9a', 'PageBegin00000000000');

INSERT INTO section_unused (space_id, hash, since) VALUES
  ('Guide000000000000000', '\xfb48e257801eac0efcd79c25ea2d2d5bbb542ec0e7d98d834d824d5907dc5b0e', '2026-11-27T09:00:00Z');

INSERT INTO search_word (space_id, word, letters) VALUES
  ('Guide000000000000000', 'release', 790562),
  ('Guide000000000000000', 'first', 1835584);

INSERT INTO change_request (id, space_id, number, status, subject, description, created_by, revision_id, sequence, base_revision_id, base_sequence, initial_revision_id, merged_ancestor_id, merged_revision_id, issues_cluster_id, version, created_at, updated_at, written_sequence) VALUES
  ('Request0000000000000', 'Guide000000000000000', 1, 'draft', 'A second page', NULL, 'Ada00000000000000000', 'RevisionOfRequest000', 1, 'Revision100000000000', 1, 'Revision100000000000', NULL, NULL, NULL, 2, '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z', 1);

INSERT INTO comment (space_id, id, line, parent_id, review_id, revision_id, page_id, node, table_record, table_definition, body, posted_by, posted_at, edited_at, resolved_by, resolved_at, version) VALUES
  ('Guide000000000000000', 'Comment0000000000000', '', NULL, NULL, 'Revision100000000000', 'PageBegin00000000000', NULL, NULL, NULL, '{"object":"document","data":{"schemaVersion":8},"nodes":[{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Is this right?","marks":[]}]}],"key":"zaBCk7L78O"}]}', 'Ada00000000000000000', '2026-11-20T09:00:00Z', NULL, NULL, NULL, 1);

INSERT INTO site (id, organization_id, type, title, basename, hostname, proxy, visibility, published, adaptive_content, agents_context, default_section_id, default_site_space_id, customization, created_by, version, created_at, updated_at, stamp) VALUES
  ('Handbook000000000000', 'Kestrel0000000000000', 'basic', 'Handbook', 'handbook', NULL, NULL, 'public', false, false, 'included', NULL, 'SiteSpace00000000000', '{}', 'Ada00000000000000000', 1, '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z', 2);

INSERT INTO site_space (id, organization_id, site_id, section_id, space_id, path, condition, customization, position, version, created_at) VALUES
  ('SiteSpace00000000000', 'Kestrel0000000000000', 'Handbook000000000000', NULL, 'Guide000000000000000', 'guide', NULL, '{}', 'V', 1, '2026-11-20T09:00:00Z');

INSERT INTO event (id, organization_id, space_id, type, actor_id, token_id, ip, target, payload, at) VALUES
  ('Event000000000000000', 'Kestrel0000000000000', 'Guide000000000000000', 'space_created', 'Ada00000000000000000', 'Token000000000000000', '127.0.0.1', 'Guide000000000000000', '{}', '2026-11-20T09:00:00Z');

INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, actor_label, token_id, token_name, ip, user_agent, request_id, target_type, target_id, target_label, payload) VALUES
  ('11111111-1111-4111-8111-111111111111', 'Kestrel0000000000000', 'Event000000000000000', '2026-11-20T09:00:00Z', 'space_created', 'api', 'user', 'Ada00000000000000000', 'Ada', 'Token000000000000000', 'Laptop', '127.0.0.1', 'node', NULL, 'space', 'Guide000000000000000', 'Guide', '{}');
