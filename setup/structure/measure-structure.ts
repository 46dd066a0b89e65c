/** Prints figures of the code's structure: sizes, folders, spellings, statements on others' tables, and what runs for a payment. */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, readSourceFiles } from '../source-files.ts'
import { countFlows } from './count-flows.ts'
import { countSources, type Figures } from './count-sources.ts'
import { findForeignSql, tablesIn } from './find-foreign-sql.ts'

const MIGRATIONS = join(ROOT, 'gateway/migrations')
const NAME_WIDTH = 70

const sources = await readSourceFiles()
print(countSources(sources))
const foreign = findForeignSql(sources, tablesIn(await readMigrations()))
print(
  new Map([
    ["files with SQL on another module's tables", filesOf(foreign)],
    ['of these, on payments', filesOf(foreign.filter(({ table }) => table === 'payments'))],
  ]),
)
print(await flows())

async function flows(): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-structure-'))
  // PostgreSQL's own user must be able to traverse it when everything runs as root.
  await chmod(folder, 0o755)
  try {
    return await countFlows(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readMigrations(): Promise<readonly string[]> {
  const names = await readdir(MIGRATIONS)
  return await Promise.all(
    names.filter((name) => name.endsWith('.sql')).map((name) => readFile(join(MIGRATIONS, name), 'utf8')),
  )
}

function filesOf(uses: readonly { readonly path: string }[]): number {
  return new Set(uses.map(({ path }) => path)).size
}

function print(figures: Figures): void {
  for (const [name, figure] of figures) {
    console.log(`${name.padEnd(NAME_WIDTH)} ${typeof figure === 'number' ? figure.toLocaleString('en') : figure}`)
  }
}
