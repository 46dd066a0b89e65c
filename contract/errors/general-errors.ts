/** Lists the errors that have no code in the published API: the HTTP statuses, and the reasons of a 401. */
import type { DocumentedError } from './failures.ts'

export const STATUS_ERRORS = {
  BadRequest: {
    status: 400,
    meaning: 'The request is malformed, or the bank rejects it.',
    cause:
      'A required header is missing or malformed, or a field of the body is. If the message says that the bank rejects ' +
      'the request, it quotes the bank’s reason.',
    action:
      'Correct what the message names, and send the request again. If that does not help where the bank rejects the ' +
      'request, quote svcRequestId to support.',
  },
  Forbidden: {
    status: 403,
    meaning: 'The partner or the company may not do this.',
    cause: 'The company is not onboarded, its subscription is not active, or the credentials lack a permission.',
    action: 'Onboard the company or activate its subscription; ask the operator for a permission.',
    isTemporary: true,
  },
  NotFound: {
    status: 404,
    meaning: 'The path or the resource does not exist, or it belongs to another partner.',
    cause: 'The id is that of another environment or another partner, or the path is misspelled.',
    action: 'Use the id exactly as it was returned; /openapi.json lists all paths.',
  },
  MethodNotAllowed: {
    status: 405,
    meaning: 'The path exists, but not with this method.',
    cause: 'A GET was sent where the operation is a POST, or vice versa.',
    action: 'Use one of the methods in the header Allow.',
  },
  NotAcceptable: {
    status: 406,
    meaning: 'The header Accept allows none of the supported media types.',
    cause: 'The header Accept names a media type that the operation does not have.',
    action: 'Send one of the media types that the message lists, or leave out the header.',
  },
  RequestTimeout: {
    status: 408,
    meaning: 'The request did not arrive completely within the time limit.',
    cause: 'The connection stalled, or Content-Length is larger than the body.',
    action: 'Send the request again on a new connection.',
    isTemporary: true,
  },
  Conflict: {
    status: 409,
    meaning: 'The request conflicts with another one, or repeats one whose outcome is unknown.',
    cause: 'The same request is still in progress, or the order has reached a state that does not permit this.',
    action: 'Read the status of what the message names before you decide; do not order again.',
    isTemporary: true,
  },
  ContentTooLarge: {
    status: 413,
    meaning: 'The body is larger than 256 kB, or 10 MB for payrolls.',
    cause: 'A payroll was sent to another operation, or has more transactions than fit.',
    action: 'Split the request.',
  },
  UnsupportedMediaType: {
    status: 415,
    meaning: 'The media type or the encoding of the body is not supported.',
    cause: 'The header Content-Type is missing or names another type, or the body is compressed.',
    action: 'Send application/json without Content-Encoding; the token request is a form.',
  },
  TooManyRequests: {
    status: 429,
    meaning: 'Too many requests, too many long bodies at once, or too many reads at the bank without the user.',
    cause:
      'A loop without pauses, a status that is read more often than webhooks make necessary, or more payrolls at a time ' +
      'than the 20 MB that a partner may send.',
    action: 'Wait for the seconds in Retry-After; use webhooks, and share one token between requests.',
    isTemporary: true,
  },
  InternalServerError: {
    status: 500,
    meaning: 'Something went wrong here.',
    cause: 'A fault of this service.',
    action: 'Quote svcRequestId to support. Repeat a request that orders something only with its Idempotency-Key.',
    isTemporary: true,
  },
  ServiceUnavailable: {
    status: 503,
    meaning: 'The bank, or another part of the service, cannot be reached; nothing was ordered, signed or cancelled.',
    cause: 'The bank is down or slow, or the database of this service is away for a moment.',
    action: 'Send the request again later, after Retry-After if it is present.',
    isTemporary: true,
  },
  OutcomeUnknown: {
    status: 503,
    meaning: 'The bank was called and its answer is unknown: the order may exist there.',
    cause: 'The connection to the bank broke after it had received the order.',
    action: 'Do not order again. Read the payment or payroll that the error names until its outcome is known.',
    isTemporary: true,
  },
} as const satisfies { readonly [code in string]: DocumentedError & { readonly status: number } }

export type StatusErrorCode = keyof typeof STATUS_ERRORS

const NEW_TOKEN = 'Request a new token at the token endpoint, and repeat the request with it.'

/** Why a request was answered with 401. The header `WWW-Authenticate` calls all but the first `invalid_token`. */
export const TOKEN_REJECTIONS = {
  TokenMissing: {
    meaning: 'The request has no access token.',
    cause: 'The header Authorization is missing, or is not of the form Bearer <access token>.',
    action: 'Send the header Authorization: Bearer followed by the access token.',
  },
  TokenMalformed: {
    meaning: 'The access token cannot be decoded.',
    cause: 'The token was cut off, quoted, encoded again, or is the client secret.',
    action: 'Send access_token exactly as it was issued.',
  },
  TokenExpired: {
    meaning: 'The access token has expired.',
    cause: 'The token was stored for longer than expires_in, or the clock of the caller is slow.',
    action: `${NEW_TOKEN} Renew it a minute before it expires.`,
  },
  TokenNotYetValid: {
    meaning: 'The access token is not valid yet.',
    cause: 'The token was not issued by this service.',
    action: NEW_TOKEN,
  },
  TokenSignatureInvalid: {
    meaning: 'The signature of the access token does not match its content.',
    cause: 'The token was changed or cut off on its way.',
    action: 'Send access_token exactly as it was issued.',
  },
  TokenKeyUnknown: {
    meaning: 'The access token was signed with a key that this environment does not have.',
    cause: 'The token is from another installation, or its key has been retired.',
    action: NEW_TOKEN,
  },
  TokenIssuerWrong: {
    meaning: 'The access token was issued by another authorisation server.',
    cause: 'The token is from another environment.',
    action: 'Request the token at the token endpoint of the environment that you call.',
  },
  TokenAudienceWrong: {
    meaning: 'The access token was issued for another environment.',
    cause: 'A token of the sandbox was sent to production, or vice versa.',
    action: 'Request the token with the scope of the environment that you call.',
  },
  TokenClaimInvalid: {
    meaning: 'A claim of the access token is missing or invalid.',
    cause: 'The token was not issued by this service.',
    action: NEW_TOKEN,
  },
  TokenRevoked: {
    meaning: 'The client, the secret or the key of the access token has been disabled.',
    cause: 'The secret was rotated, or the operator has disabled the client.',
    action: 'Request a new token with the current secret; if that fails, ask the operator.',
  },
} as const satisfies { readonly [code in string]: DocumentedError }

export type TokenRejectionCode = keyof typeof TOKEN_REJECTIONS
