/** Tests that forms with a file are parsed with any content, and that malformed ones contain nothing. */
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { isUpload, parseUpload, registerUploadParser } from './upload.ts'

const BOUNDARY = 'seam'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

function form(...parts: readonly [headers: string, content: string | Buffer][]): Buffer {
  const written = parts.flatMap(([headers, content]) => [
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

test('texts and the file are parsed as they were sent, byte for byte', async () => {
  const content = Buffer.from([0, 255, 13, 10, 45, 45, 1])
  const body = form(['name="formToken"', 'abc'], ['name="file"; filename="Årsregnskap <1>.pdf"', content])
  const { fields, file } = await parseUpload(TYPE, body)
  expect(fields.get('formToken')).toBe('abc')
  expect(file?.name).toBe('Årsregnskap <1>.pdf')
  expect(file?.content.equals(content)).toBe(true)
})

test('a form without a file has none', async () => {
  const { file } = await parseUpload(TYPE, form(['name="file"; filename=""', '']))
  expect(file).toBeNull()
})

test('a text in place of the file is no file', async () => {
  const { file } = await parseUpload(TYPE, form(['name="file"', 'not a file']))
  expect(file).toBeNull()
})

test.each([
  ['no boundary', 'multipart/form-data', 'x'],
  ['another boundary', 'multipart/form-data; boundary=other', 'x'],
  ['nothing', TYPE, ''],
  ['half a form', TYPE, `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc`],
])('a malformed form (%s) contains nothing', async (_name, type, body) => {
  const { fields, file } = await parseUpload(type, Buffer.from(body))
  expect([...fields]).toEqual([])
  expect(file).toBeNull()
})

test('a server accepts uploads up to a size, and no other content', async () => {
  const server = fastify()
  registerUploadParser(server)
  server.post('/', { bodyLimit: 1000 }, async ({ body }) =>
    isUpload(body) ? String(body.file?.content.length) : 'none',
  )
  const send = async (length: number) =>
    await server.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': TYPE },
      payload: form(['name="file"; filename="a"', 'x'.repeat(length)]),
    })
  expect((await send(500)).body).toBe('500')
  expect((await send(1000)).statusCode).toBe(413)
})
