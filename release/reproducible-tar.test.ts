/** Tests that archives with the same files have the same bytes, whenever, by whom and in which order they were written. */
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { list } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packReproducibly } from './reproducible-tar.ts'

const DATE = Date.UTC(2026, 10, 26)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-release-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function lay(name: string, files: readonly string[], { mode, seconds }: { mode: number; seconds: number }) {
  const place = join(folder, name)
  await mkdir(join(place, 'b', 'c'), { recursive: true })
  for (const file of files) {
    await writeFile(join(place, file), `content of ${file}`)
    await chmod(join(place, file), file.endsWith('.sh') ? mode | 0o111 : mode)
    await utimes(join(place, file), seconds, seconds)
  }
  await symlink('b/run.sh', join(place, 'run'))
  return place
}

test('two folders with the same files are packed to the same bytes', async () => {
  const files = ['b/run.sh', 'b/c/z.txt', 'a.txt']
  const one = await lay('one', files, { mode: 0o600, seconds: 1_000_000_000 })
  const other = await lay('other', files.toReversed(), { mode: 0o664, seconds: 1_700_000_000 })
  for (const ending of ['tar.gz', 'tar']) {
    const packed = await Promise.all(
      [one, other].map(async (place) => {
        const file = `${place}.${ending}`
        await packReproducibly(file, { folder: place, prefix: 'havn-1.0.0', dateMilliseconds: DATE })
        return await readFile(file)
      }),
    )
    expect(packed[0]?.equals(packed[1] ?? Buffer.alloc(0))).toBe(true)
  }
})

test('folders come before their files, executable files stay executable, and owners and dates are not those of the builder', async () => {
  const place = await lay('third', ['b/run.sh', 'a.txt'], { mode: 0o640, seconds: 1_500_000_000 })
  await packReproducibly(join(folder, 'third.tar.gz'), { folder: place, prefix: 'p', dateMilliseconds: DATE })
  const found: string[] = []
  await list({
    file: join(folder, 'third.tar.gz'),
    // Folders have no date at all.
    onReadEntry: ({ path, type, mode = 0, mtime, uid }) =>
      found.push(
        `${path} ${mode.toString(8)} ${type === 'Directory' || mtime?.getTime() === DATE} ${uid ?? 'no owner'}`,
      ),
  })
  expect(found).toEqual([
    'p/a.txt 644 true no owner',
    'p/b/ 755 true no owner',
    'p/b/c/ 755 true no owner',
    'p/b/run.sh 755 true no owner',
    'p/run 755 true no owner',
  ])
})
