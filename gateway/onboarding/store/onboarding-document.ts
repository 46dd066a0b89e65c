/** Defines a document of an onboarding: a file that an operator requested and the company uploaded. */
import { ALL_UNPRINTABLE } from '../../platform/copied-text.ts'

/** The accepted media types with their leading bytes; file names are not trusted. */
export const DOCUMENT_TYPES = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
} as const satisfies Record<string, readonly number[]>

export type DocumentType = keyof typeof DOCUMENT_TYPES

/** Enough for a scan of many pages. */
export const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024
export const DOCUMENTS_MAX = 10
const NAME_CHARACTERS_MAX = 200

export type OnboardingDocument = {
  readonly partnerId: string
  readonly id: string
  readonly onboardingId: string
  /** The uploaded file's name. */
  readonly name: string
  readonly mediaType: DocumentType
  readonly bytes: number
  readonly uploadedAt: Temporal.Instant
}

export type DocumentSecret = 'name' | 'content'

/** The purpose that a sealed value of a document is bound to. */
export function documentPurpose(
  what: DocumentSecret,
  { partnerId, id }: Pick<OnboardingDocument, 'partnerId' | 'id'>,
): string {
  return `onboarding document ${what} ${partnerId} ${id}`
}

/** The media type by the leading bytes; undefined when it is not accepted. */
export function documentTypeOf(content: Uint8Array): DocumentType | undefined {
  const known = Object.entries(DOCUMENT_TYPES).map(([type, bytes]) => ({ type, bytes }))
  const found = known.find(({ bytes }) => bytes.every((byte, index) => content[index] === byte))
  return found === undefined ? undefined : asType(found.type)
}

/** The file name in its stored form: without folders and unprintable characters. */
export function documentName(text: string): string {
  const name = text
    .normalize('NFC')
    .replaceAll(ALL_UNPRINTABLE, '')
    .replace(/^.*[/\\]/, '')
    .trim()
  return (name === '' ? 'document' : name).slice(0, NAME_CHARACTERS_MAX)
}

function asType(text: string): DocumentType | undefined {
  return text === 'application/pdf' || text === 'image/png' || text === 'image/jpeg' ? text : undefined
}
