/** What a document of an onboarding is: a file that an operator asked for and the company handed in. */

/** The kinds that are taken, each with the bytes that it begins with: a name proves nothing. */
export const DOCUMENT_TYPES = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
} as const satisfies Record<string, readonly number[]>

export type DocumentType = keyof typeof DOCUMENT_TYPES

/** A scan of many pages fits; a film does not. */
export const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024
export const DOCUMENTS_MAX = 10
const NAME_CHARACTERS_MAX = 200

/** A document without its content. */
export type OnboardingDocument = {
  readonly partnerId: string
  readonly id: string
  readonly onboardingId: string
  /** As it was called where it came from. */
  readonly name: string
  readonly mediaType: DocumentType
  readonly bytes: number
  readonly uploadedAt: Temporal.Instant
}

/** What is sealed of a document. */
export type DocumentSecret = 'name' | 'content'

/** What a sealed value of a document is bound to. */
export function documentPurpose(
  what: DocumentSecret,
  { partnerId, id }: Pick<OnboardingDocument, 'partnerId' | 'id'>,
): string {
  return `onboarding document ${what} ${partnerId} ${id}`
}

/** What a file is by the bytes that it begins with; undefined when it is none that is taken. */
export function documentTypeOf(content: Uint8Array): DocumentType | undefined {
  const known = Object.entries(DOCUMENT_TYPES).map(([type, bytes]) => ({ type, bytes }))
  const found = known.find(({ bytes }) => bytes.every((byte, index) => content[index] === byte))
  return found === undefined ? undefined : asType(found.type)
}

/** The name as it is kept: without folders, without what cannot be printed. */
export function documentName(text: string): string {
  const name = text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^.*[/\\]/, '')
    .trim()
  return (name === '' ? 'document' : name).slice(0, NAME_CHARACTERS_MAX)
}

function asType(text: string): DocumentType | undefined {
  return text === 'application/pdf' || text === 'image/png' || text === 'image/jpeg' ? text : undefined
}
