/** Builds the QR code for the user's app from the bank's image, link or start token. */
import { renderQrImage } from '../../../../platform/render-qr-image.ts'
import type { Bank } from '../../../connector/bank.ts'
import { isBankError } from '../../../connector/bank-error-classification.ts'
import type { QrCode } from '../../../connector/sca-authorisation.ts'
import { requireLinkOrApiUrl } from '../../../transport/bank-urls.ts'
import { type BankClient, sendUnsignedRequest } from '../transport/bank-client.ts'
import { type ChallengeData, parseChallengeData } from '../wire.ts'

/** A dynamic code changes every second. */
const DYNAMIC_SECONDS = 1
/** BankID expires an order that is not scanned for so long. */
const UNSCANNED_SECONDS = 30
/** The standard's limit for images. */
const IMAGE_BYTES_MAX = 512 * 1024
/** Some banks send the image as web pages embed it (RFC 2397); the standard has the base64 alone. */
const DATA_URL = /^data:[^,]{0,100},/
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A start token is a UUID in practice; it becomes part of a URL. */
const START_TOKEN = /^[A-Za-z0-9-]{8,100}$/
const DYNAMIC_CODE = /^bankid\./
/** More than any code of a bank contains, in bytes of UTF-8. */
const CODE_BYTES_MAX = 1000

/**
 * The code of a body's `challengeData`; null when there is none. If its image cannot be loaded now, the code has
 * neither image nor text; a later read loads it.
 */
export async function qrCodeOf(
  line: BankClient,
  bank: Bank,
  { challengeData = {} }: { readonly challengeData?: unknown },
): Promise<QrCode | null> {
  const challenge = parseChallengeData(JSON.stringify(challengeData)) ?? {}
  const { image, imageLink } = challenge
  if (image !== undefined || imageLink !== undefined) {
    const sent = image === undefined ? null : pngOf(Buffer.from(image.replace(DATA_URL, ''), 'base64'))
    const png = sent ?? (imageLink === undefined ? null : await imageAt(line, bank, imageLink))
    const code = textOf(challenge)
    const isShown = png !== null && png !== 'later'
    return png === null && code === null ? null : { ...dynamic(line), image: isShown ? png : renderedImage(code), code }
  }
  return qrCodeOfText(line, textOf(challenge))
}

function qrCodeOfText(line: BankClient, text: string | null): QrCode | null {
  if (text === null) {
    return null
  }
  if (DYNAMIC_CODE.test(text)) {
    return { ...dynamic(line), image: renderedImage(text), code: text }
  }
  const code = START_TOKEN.test(text) ? `bankid:///?autostarttoken=${text}&redirect=null` : text
  return {
    image: renderedImage(code),
    code,
    kind: 'Static',
    validUntil: line.now().add({ seconds: UNSCANNED_SECONDS }),
  }
}

function dynamic(line: BankClient): Pick<QrCode, 'kind' | 'validUntil'> {
  return { kind: 'Dynamic', validUntil: line.now().add({ seconds: DYNAMIC_SECONDS }) }
}

/** Only hosts of the bank are called, and only images are passed on. */
async function imageAt(line: BankClient, bank: Bank, href: string): Promise<string | 'later' | null> {
  const url = requireLinkOrApiUrl(bank, href)
  const headers = { accept: 'image/png' }
  const call = { operation: 'getCodeImage', method: 'GET', url, headers } as const
  const response = await sendUnsignedRequest(line, bank, call).catch(ignoreUnavailable)
  if (response === undefined || response.status !== 200) {
    return 'later'
  }
  return response.bytes === undefined ? null : pngOf(Buffer.from(response.bytes))
}

function ignoreUnavailable(error: unknown): undefined {
  if (!isBankError(error, 'unavailable')) {
    throw error
  }
}

function pngOf(bytes: Buffer): string | null {
  const isPng = bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)
  return isPng && bytes.length <= IMAGE_BYTES_MAX ? bytes.toString('base64') : null
}

function textOf({ data }: ChallengeData): string | null {
  const text = [data ?? []].flat()[0]
  return text === undefined || text === '' || Buffer.byteLength(text) > CODE_BYTES_MAX ? null : text
}

function renderedImage(code: string | null): string | null {
  return code === null ? null : renderQrImage(code).toString('base64')
}
