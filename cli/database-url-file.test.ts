/** Tests the URL of the database in a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readDatabaseUrlFile } from './database-url-file.ts'

it('is read from its file; a missing or empty one, and a URL in addition, are rejected by name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'havn-url-'))
  const [file, empty] = [join(folder, 'url'), join(folder, 'empty')]
  await Promise.all([writeFile(file, 'postgres://havn:secret@db/havn\n'), writeFile(empty, '\n')])
  const read = (environment: NodeJS.ProcessEnv) => {
    readDatabaseUrlFile(environment)
    return environment['DATABASE_URL']
  }
  expect(read({})).toBeUndefined()
  expect(read({ DATABASE_URL: 'postgres://a/b' })).toBe('postgres://a/b')
  expect(read({ HAVN_DATABASE_URL_FILE: file })).toBe('postgres://havn:secret@db/havn')
  expect(() => read({ HAVN_DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://a/b' })).toThrow('both set')
  expect(() => read({ HAVN_DATABASE_URL_FILE: empty })).toThrow(`${empty}, which cannot be used: it is empty`)
  expect(() => read({ HAVN_DATABASE_URL_FILE: join(folder, 'none') })).toThrow('ENOENT')
  await rm(folder, { recursive: true })
})
