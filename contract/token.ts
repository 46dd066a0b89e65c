/** Declares the operations of the authorisation server: issue a token, get its keys and its metadata. */
import { type Static, Type } from 'typebox'
import { errorBody, oauthErrorDetails } from './errors/error-bodies.ts'
import { TOKEN_ERROR_CODES } from './errors/oauth-errors.ts'
import { operation } from './operation.ts'
import { hiddenText, text } from './shapes.ts'

export const TokenRequest = Type.Object(
  {
    grant_type: Type.String({ description: 'Must be `client_credentials`.' }),
    scope: text('The scope of the environment, for example `api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default`.'),
    client_id: Type.Optional(text('The client id; required unless sent by HTTP Basic.')),
    client_secret: Type.Optional(hiddenText('The secret; required unless sent by HTTP Basic.')),
  },
  { title: 'TokenRequest', description: 'A request by the client credentials grant of RFC 6749.' },
)
export type TokenRequest = Static<typeof TokenRequest>

export const Token = Type.Object(
  {
    token_type: Type.Literal('Bearer', { description: 'How the token is sent.' }),
    expires_in: Type.Integer({ minimum: 1, description: 'For how many seconds the token is valid.' }),
    ext_expires_in: Type.Integer({ minimum: 1, description: 'The same number of seconds.' }),
    access_token: hiddenText('The token, a signed JWT.'),
  },
  { title: 'Token', description: 'An access token.' },
)
export type Token = Static<typeof Token>

export const TokenError = errorBody(
  {
    error: Type.Enum([...TOKEN_ERROR_CODES], {
      description:
        'What is wrong, as RFC 6749 names it: invalid_client with 401, temporarily_unavailable with 429 and 503, ' +
        'server_error with 500, the others with 400; invalid_request also with 413 and 415.',
    }),
    error_description: Type.Optional(text('What is wrong, as text in ASCII.')),
  },
  oauthErrorDetails,
  { title: 'TokenError', description: 'Why no token was issued.' },
)
export type TokenError = Static<typeof TokenError>

export const JsonWebKey = Type.Object(
  {
    kty: text('The family of the key, for example `EC`.'),
    kid: text('The id that tokens name in their header.'),
    use: Type.Optional(text('What the key is for: `sig`.')),
    alg: Type.Optional(text('The algorithm, for example `ES256`.')),
    crv: Type.Optional(text('The curve.')),
    x: Type.Optional(text('The x coordinate, or the public key of an Edwards curve.')),
    y: Type.Optional(text('The y coordinate.')),
  },
  { title: 'JsonWebKey', description: 'A public key (RFC 7517).' },
)

export const JsonWebKeySet = Type.Object(
  { keys: Type.Array(JsonWebKey, { description: 'The keys; older ones until their tokens have expired.' }) },
  { title: 'JsonWebKeySet', description: 'The public keys that verify access tokens.' },
)
export type JsonWebKeySet = Static<typeof JsonWebKeySet>

const listOf = (description: string) => Type.Array(Type.String(), { description })

export const ServerMetadata = Type.Object(
  {
    issuer: text('The `iss` of the tokens.'),
    token_endpoint: text('Where tokens are issued.'),
    jwks_uri: text('Where the public keys are.'),
    grant_types_supported: listOf('The grants: `client_credentials`.'),
    token_endpoint_auth_methods_supported: listOf('The supported client authentication methods.'),
    scopes_supported: listOf('The scopes of this environment.'),
    response_types_supported: listOf('Empty: there is no user login.'),
  },
  { title: 'ServerMetadata', description: 'The metadata of the authorisation server (RFC 8414).' },
)
export type ServerMetadata = Static<typeof ServerMetadata>

const open = {
  server: 'auth',
  tag: 'Token',
  admits: 'anyone',
} as const

export const issueToken = operation({
  ...open,
  id: 'issueToken',
  method: 'POST',
  path: '/v2/connect/token',
  summary: 'Issue an access token',
  description: 'To be called from a trusted backend only. Reuse the token until shortly before it expires.',
  body: TokenRequest,
  bodyType: 'form',
  answer: { status: 200, schema: Token },
  errorStatuses: [400, 401, 429, 500, 503],
  errorBodies: {
    400: TokenError,
    401: TokenError,
    413: TokenError,
    415: TokenError,
    429: TokenError,
    500: TokenError,
    503: TokenError,
  },
  errorFormat: 'oauth',
})

export const getKeys = operation({
  ...open,
  id: 'getKeys',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Get the token signing keys',
  description:
    'The public keys (JWK set, RFC 7517) of access tokens. Keys are rotated: fetch them again for an unknown `kid`.',
  answer: { status: 200, schema: JsonWebKeySet },
  errorStatuses: [429, 500, 503],
})

export const getServerMetadata = operation({
  ...open,
  id: 'getServerMetadata',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  summary: 'Get the metadata of the authorisation server',
  description: 'The metadata of the authorisation server (RFC 8414).',
  answer: { status: 200, schema: ServerMetadata },
  errorStatuses: [429, 500, 503],
})
