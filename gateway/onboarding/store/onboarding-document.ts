/** Defines a document of an onboarding: a file that an operator requested and the company uploaded. */
import { ALL_UNPRINTABLE } from '../../platform/copied-text.ts'

/** The accepted media types with their leading bytes; file names are not trusted. */
const DOCUMENT_TYPES = [
  { type: 'application/pdf', start: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: 'image/png', start: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', start: [0xff, 0xd8, 0xff] },
] as const

type DocumentType = (typeof DOCUMENT_TYPES)[number]['type']

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
  return DOCUMENT_TYPES.find(({ start }) => start.every((byte, index) => content[index] === byte))?.type
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
