/** Tests that a directory without room for a whole file never seems to have it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The limit of a file, in a process of its own, has the effect of a full disk: the last write stores what still fits. */
const FULL_DISK = 'trap "" XFSZ; ulimit -f 1; exec "$@" 2>&1'
const WRITE = `
  const { openDirectory } = await import(process.argv[1])
  const channel = await openDirectory(process.argv[2])
  async function* parts() { yield 'a'.repeat(1000); yield '</Document>'.repeat(100) }
  const outcome = await channel.write('order.part', parts()).then(() => 'written', ({ kind }) => kind)
  console.log(outcome)`

test('a file of which the disk has room for a part is not written, and leaves nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'havn-files-'))
  const module = new URL('./directory-channel.ts', import.meta.url).href
  const program = [process.execPath, '--input-type=module', '-e', WRITE, module, pathToFileURL(folder).href]
  const { stdout } = await promisify(execFile)('bash', ['-c', FULL_DISK, 'bash', ...program])
  expect([stdout, await readdir(folder)]).toEqual(['unavailable\n', []])
  await rm(folder, { recursive: true })
})
