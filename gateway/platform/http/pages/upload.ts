/** Reads forms that bring a file (multipart/form-data, RFC 7578): their texts as any form's, and the file. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What was sent; the file is null where none was chosen. */
export type Upload = { readonly fields: URLSearchParams; readonly file: UploadedFile | null }

/** A file by the name it had where it came from, which may be anything. */
export type UploadedFile = { readonly name: string; readonly content: Buffer }

/** The field of the file; a form has one. */
const FILE = 'file'

/** Takes uploads on the routes of this server; what is larger than `bytesMax` in all is refused unread. */
export function takeUploads(server: FastifyInstance, bytesMax: number): void {
  const options = { parseAs: 'buffer' as const, bodyLimit: bytesMax }
  server.addContentTypeParser('multipart/form-data', options, async (request: FastifyRequest, body: Buffer) =>
    readUpload(request.headers['content-type'] ?? '', body),
  )
}

/** What the body holds; nothing where it is no sound form. */
export async function readUpload(contentType: string, body: Buffer): Promise<Upload> {
  const form = await parsed(contentType, body)
  const fields = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      fields.append(name, value)
    }
  }
  const file = form.get(FILE)
  // Browsers send a file without a name where none was chosen.
  return file === null || typeof file === 'string' || file.name === ''
    ? { fields, file: null }
    : { fields, file: { name: file.name, content: Buffer.from(await file.arrayBuffer()) } }
}

/** Whether a body was read as an upload. */
export function isUpload(body: unknown): body is Upload {
  return typeof body === 'object' && body !== null && 'fields' in body && body.fields instanceof URLSearchParams
}

/** By the runtime's own parser of forms. */
async function parsed(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return new FormData()
  }
}
