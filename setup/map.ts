/** Writes the map of the house into docs/ARCHITECTURE.md, from the first sentence of every source file. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROOT, readSourceFiles, type SourceFile } from './source-files.ts'

export const ARCHITECTURE_FILE = join(ROOT, 'docs', 'ARCHITECTURE.md')
const BEGIN = '<!-- The map: written by `npm run map`, not by hand. -->'
const END = '<!-- End of the map. -->'

/** The document with its map as it should be now. */
export async function withCurrentMap(document: string): Promise<string> {
  const [before, rest] = document.split(BEGIN)
  const [, after] = rest?.split(END) ?? []
  if (before === undefined || after === undefined) {
    throw new Error(`docs/ARCHITECTURE.md needs the lines "${BEGIN}" and "${END}"`)
  }
  const files = (await readSourceFiles()).filter(({ isTest }) => !isTest)
  return `${before}${BEGIN}\n\n${mapOf(files)}\n${END}${after}`
}

function mapOf(files: readonly SourceFile[]): string {
  const byFolder = Map.groupBy(files, ({ path }) => dirname(path))
  return [...byFolder]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, inside]) => `### ${folder}/\n${inside.map(lineOf).join('')}`)
    .join('\n')
}

function lineOf({ path, purpose }: SourceFile): string {
  return `- \`${path.slice(dirname(path).length + 1)}\` – ${purpose ?? '(says nothing about itself)'}\n`
}

if (import.meta.main) {
  const document = await readFile(ARCHITECTURE_FILE, 'utf8')
  await writeFile(ARCHITECTURE_FILE, await withCurrentMap(document))
}
