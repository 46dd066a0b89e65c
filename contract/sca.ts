/** Describes how a user's strong customer authentication starts: a redirect, or a QR code at Swedish banks. */
import { type Static, Type } from 'typebox'
import { instant, returnUrl, taggedUnion, textOrNull } from './shapes.ts'

/** The rule for every URL that users return to. */
export const RETURN_URL_RULE =
  'A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you, without credentials; in ' +
  'the sandbox any https origin and loopback http, too. It is returned as it was written, with `status` added to the ' +
  'query, before a fragment.'

export const callbackUrl = returnUrl(`Where the user returns to. ${RETURN_URL_RULE}`)

export const ScaRedirect = Type.Object(
  {
    type: Type.Literal('redirect', { description: 'The user is sent to a URL.' }),
    url: Type.String({
      format: 'uri',
      description:
        "Where to send the user's browser. It comes back to callbackUrl with a query parameter `status` of " +
        '`success`, `rejected` or `cancelled`.',
    }),
  },
  { title: 'ScaRedirect', description: 'Authentication in the browser.' },
)
export type ScaRedirect = Static<typeof ScaRedirect>

export const ScaQr = Type.Object(
  {
    type: Type.Literal('qr', { description: 'The user scans a code.' }),
    image: Type.String({
      contentEncoding: 'base64',
      description: 'The code as a PNG, in base64; empty until the bank has created the first one.',
    }),
    code: textOrNull('The content of the code, to render it yourself; null if the bank gives only the image.'),
    kind: Type.Enum(['Dynamic', 'Static'], {
      description: 'Dynamic codes are valid for one second: fetch a new one every second. Static ones last longer.',
    }),
    validUntil: instant(
      'When this code expires. It is in the past while the bank creates the next code, or cannot be ' +
        'reached: the last code is returned until the next one exists.',
    ),
  },
  { title: 'ScaQr', description: "Authentication by a code that the user's app scans." },
)
export type ScaQr = Static<typeof ScaQr>

export const Sca = taggedUnion('type', [ScaRedirect, ScaQr], {
  title: 'Sca',
  description: 'How the user authenticates.',
})
export type Sca = Static<typeof Sca>

/** What the operations have in common that start, show or end an SCA session. */
export const scaOperation = {
  admits: 'consent',
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK', 'ACCESS_DENIED'],
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
} as const
