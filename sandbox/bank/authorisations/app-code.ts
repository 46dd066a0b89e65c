/** The code of an authorisation that the user's app scans: issues, renders and matches it. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../gateway/platform/ids.ts'
import { renderQrImage } from '../../../gateway/platform/render-qr-image.ts'
import type { Context } from '../context.ts'
import { type Authorisation, type CodeForm, isEnded } from './authorisation.ts'

/** Wall time in which the code must be scanned, or the app started with its token. */
export const SCAN_TIMEOUT_SECONDS = 30

/** The columns of a code that is issued now. */
export function issueAppCode({ clock }: Context, form: CodeForm) {
  const begunAt = clock.real()
  return {
    code_form: form,
    code_token: randomUUID(),
    code_secret: form === 'start-token' ? null : randomUUID(),
    code_issued_at: begunAt.toString(),
    code_expires_at: begunAt.add({ seconds: SCAN_TIMEOUT_SECONDS }).toString(),
  }
}

/** Whether the code was not scanned in time. */
export function isCodeExpired({ code_expires_at: expiresAt }: Authorisation, at: Temporal.Instant): boolean {
  return expiresAt !== null && Temporal.Instant.compare(expiresAt, at) <= 0
}

/** The code of this second; null when there is none, or none valid any more. */
export function currentAppCode({ clock }: Context, authorisation: Authorisation): string | null {
  const { code_issued_at: begunAt, code_expires_at: expiresAt, code_token: token } = authorisation
  const at = clock.real()
  if (
    isEnded(authorisation) ||
    begunAt === null ||
    expiresAt === null ||
    token === null ||
    isCodeExpired(authorisation, at)
  ) {
    return null
  }
  const order = orderOf(authorisation)
  return order === null ? token : bankIdCode(order, Math.floor(begunAt.until(at).total('seconds')))
}

/** The standard's challenge data for the third party; null when there is nothing to scan. */
export function renderChallengeData(context: Context, authorisation: Authorisation): object | null {
  const code = currentAppCode(context, authorisation)
  if (code === null) {
    return null
  }
  switch (authorisation.code_form) {
    case 'image':
      return { image: renderQrImage(code).toString('base64'), data: [code] }
    case 'image-link':
      return { imageLink: `${context.addresses.pagesUrl}/codes/${authorisation.id}/${authorisation.link_token}` }
    default:
      return { data: [code] }
  }
}

const ANIMATED = /^bankid\.([0-9a-f-]{36})\.([0-9]{1,6})\.([0-9a-f]{64})$/
const START_ADDRESS = /^bankid:\/\/\/\?autostarttoken=([0-9a-f-]{36})(?:&|$)/
const START_TOKEN = /^([0-9a-f-]{36})$/

/** The token in a pasted code: an animated code, the app's URL, or the bare token. */
export function parseCodeToken(code: string): string | undefined {
  const text = code.trim().toLowerCase()
  return [ANIMATED, START_ADDRESS, START_TOKEN]
    .map((form) => form.exec(text)?.[1])
    .find((token) => token !== undefined && isId(token))
}

/** Whether a code belongs to this authorisation: an animated one only with the proof of its second. */
export function matchesAppCode(code: string, authorisation: Authorisation): boolean {
  const order = orderOf(authorisation)
  const text = code.trim().toLowerCase()
  const [, , seconds] = ANIMATED.exec(text) ?? []
  if (order === null || seconds === undefined) {
    return order === null && seconds === undefined
  }
  const genuine = Buffer.from(bankIdCode(order, Number(seconds)))
  return genuine.length === text.length && timingSafeEqual(genuine, Buffer.from(text))
}

function orderOf({ code_token: token, code_secret: secret }: Authorisation): BankIdOrder | null {
  return token === null || secret === null ? null : { token, secret }
}

/** The token of an order, which is public, and its secret, which never leaves the bank. */
type BankIdOrder = { readonly token: string; readonly secret: string }

/** The code for a number of whole seconds since the order began. */
export function bankIdCode({ token, secret }: BankIdOrder, seconds: number): string {
  const authentication = createHmac('sha256', secret).update(String(seconds)).digest('hex')
  return `bankid.${token}.${seconds}.${authentication}`
}
