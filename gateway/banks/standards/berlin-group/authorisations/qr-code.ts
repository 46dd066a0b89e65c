/** Makes the code that a user's app scans of whatever the bank sends: an image, a link to one, or a token. */
import { drawQrImage } from '../../../../platform/render-qr-image.ts'
import { callBeside } from '../../../berlin-group/call-beside.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { QrCode } from '../../../connector/sca-authorisation.ts'
import type { Bank } from '../../../directory/bank.ts'
import { interfaceAddressOf } from '../../../transport/bank-urls.ts'
import type { Line } from '../transport/bank-client.ts'
import { type ChallengeData, readChallengeData } from '../wire.ts'

/** A dynamic code is another one each second. */
const DYNAMIC_SECONDS = 1
/** BankID gives up an order that nobody has scanned for so long. */
const UNSCANNED_SECONDS = 30
/** The standard's limit of an image. */
const IMAGE_BYTES_MAX = 512 * 1024
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A start token is a UUID in practice; whatever it is, it goes into an address. */
const START_TOKEN = /^[A-Za-z0-9-]{8,100}$/
const DYNAMIC_CODE = /^bankid\./
/** More than any code of a bank holds; in bytes of UTF-8, as they are drawn. */
const CODE_BYTES_MAX = 1000

/**
 * The code that a body's `challengeData` stands for; null when there is none that could be shown. One whose image cannot
 * be had at this moment is there all the same, without image and text: the next one brings it.
 */
export async function qrCodeOf(
  line: Line,
  bank: Bank,
  { challengeData = {} }: { readonly challengeData?: unknown },
): Promise<QrCode | null> {
  const challenge = readChallengeData(JSON.stringify(challengeData)) ?? {}
  const { image, imageLink } = challenge
  if (image !== undefined || imageLink !== undefined) {
    const png = image === undefined ? await imageAt(line, bank, imageLink ?? '') : pngOf(Buffer.from(image, 'base64'))
    const code = textOf(challenge)
    if (png === 'later') {
      return { ...dynamic(line), image: drawn(code), code }
    }
    return png === null && code === null ? null : { ...dynamic(line), image: png ?? drawn(code), code }
  }
  return codeOfText(line, textOf(challenge))
}

function codeOfText(line: Line, text: string | null): QrCode | null {
  if (text === null) {
    return null
  }
  if (DYNAMIC_CODE.test(text)) {
    return { ...dynamic(line), image: drawn(text), code: text }
  }
  const code = START_TOKEN.test(text) ? `bankid:///?autostarttoken=${text}&redirect=null` : text
  return { image: drawn(code), code, kind: 'Static', validUntil: line.now().add({ seconds: UNSCANNED_SECONDS }) }
}

function dynamic(line: Line): Pick<QrCode, 'kind' | 'validUntil'> {
  return { kind: 'Dynamic', validUntil: line.now().add({ seconds: DYNAMIC_SECONDS }) }
}

/** Only the bank's own hosts are asked, and only an image of theirs is passed on. */
async function imageAt(line: Line, bank: Bank, href: string): Promise<string | 'later' | null> {
  const url = interfaceAddressOf(bank, href)
  const headers = { accept: 'image/png' }
  const call = { operation: 'getCodeImage', method: 'GET', url, headers } as const
  const response = await callBeside(line, bank, call).catch(noneYet)
  if (response === undefined || response.status !== 200) {
    return 'later'
  }
  return response.bytes === undefined ? null : pngOf(Buffer.from(response.bytes))
}

function noneYet(error: unknown): undefined {
  if (!(error instanceof BankRefusal && error.kind === 'unavailable')) {
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

function drawn(code: string | null): string | null {
  return code === null ? null : drawQrImage(code).toString('base64')
}
