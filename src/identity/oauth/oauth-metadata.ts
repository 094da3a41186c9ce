import type { Addresses } from '../../kernel/common/addresses.js';
import { PROPOSING_SCOPES } from '../users/tokens.service.js';

/** Where the MCP server of the workspace is, on the address of the API: the resource that tokens are for. */
export const WORKSPACE_MCP_PATH = '/mcp';
export const AUTHORIZE_PATH = '/oauth/authorize';
export const TOKEN_PATH = '/oauth/token';
export const REGISTER_PATH = '/oauth/register';
export const REVOKE_PATH = '/oauth/revoke';
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${WORKSPACE_MCP_PATH}`;

export const resourceAddress = ({ api }: Addresses): string => `${api}${WORKSPACE_MCP_PATH}`;

/** Metadata of the authorization server (RFC 8414). */
export const serverMetadata = ({ api }: Addresses) => ({
  issuer: api,
  authorization_endpoint: `${api}${AUTHORIZE_PATH}`,
  token_endpoint: `${api}${TOKEN_PATH}`,
  registration_endpoint: `${api}${REGISTER_PATH}`,
  revocation_endpoint: `${api}${REVOKE_PATH}`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  scopes_supported: [...PROPOSING_SCOPES],
});

/** Metadata of the protected resource (RFC 9728). */
export const resourceMetadata = (addresses: Addresses) => ({
  resource: resourceAddress(addresses),
  authorization_servers: [addresses.api],
  bearer_methods_supported: ['header'],
  scopes_supported: [...PROPOSING_SCOPES],
  resource_name: 'Bindery',
});
