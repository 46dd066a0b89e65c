/** Describes how a user's strong customer authentication starts: a redirect, or a QR code at Swedish banks. */
import { type Static, Type } from 'typebox'
import { instant, returnUrl, taggedUnion } from './shapes.ts'

/** The rule on every URL that users return to. */
export const RETURN_URL_RULE =
  'A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is registered for you, without credentials; in the ' +
  'sandbox any https origin and loopback http, too. A fragment is kept, and `status` goes into the query before it.'

export const callbackUrl = returnUrl(`Where the user returns to. ${RETURN_URL_RULE}`)

export const ScaRedirect = Type.Object(
  {
    type: Type.Literal('redirect', { description: 'The user is sent to an address.' }),
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
      description: 'The code as a PNG, in base64; empty where the bank is about to give the first one.',
    }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'The content of the code, for drawing it oneself; null where the bank gives only the image.',
    }),
    kind: Type.Enum(['Dynamic', 'Static'], {
      description: 'Dynamic codes are valid for one second and fetched anew each second; Static ones last longer.',
    }),
    validUntil: instant(
      'Until when this code can be scanned. It lies in the past while the bank makes the next code, or cannot be read: the ' +
        'last code stays in the answer until its successor is there.',
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
