/** Parses forms with a file (multipart/form-data, RFC 7578): their text fields, and the file. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countReceivedBody } from '../client-limits.ts'

/** The submitted form; the file is null when the user chose none. */
export type Upload = { readonly fields: URLSearchParams; readonly file: UploadedFile | null }

/** A file with the name that the client sent, which is untrusted. */
export type UploadedFile = { readonly name: string; readonly content: Buffer }

/** The field of the file; a form has one. */
const FILE = 'file'

/** Accepts uploads on the routes of this server. */
export function registerUploadParser(server: FastifyInstance): void {
  const options = { parseAs: 'buffer' as const }
  server.addContentTypeParser('multipart/form-data', options, async (request: FastifyRequest, body: Buffer) => {
    countReceivedBody(request, body.length)
    return await parseUpload(request.headers['content-type'] ?? '', body)
  })
}

/** The content of the body; empty where it is not a valid form. */
export async function parseUpload(contentType: string, body: Buffer): Promise<Upload> {
  const form = await parsed(contentType, body)
  const fields = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      fields.append(name, value)
    }
  }
  const file = form.get(FILE)
  // Browsers send a file without a name when the user chose none.
  return file === null || typeof file === 'string' || file.name === ''
    ? { fields, file: null }
    : { fields, file: { name: file.name, content: Buffer.from(await file.arrayBuffer()) } }
}

export function isUpload(body: unknown): body is Upload {
  return typeof body === 'object' && body !== null && 'fields' in body && body.fields instanceof URLSearchParams
}

/** By the runtime's own form parser. */
async function parsed(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return new FormData()
  }
}
