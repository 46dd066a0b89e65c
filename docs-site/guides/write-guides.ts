/** Writes what is generated in the documents: the parts of guides that come from data, and the list of errors. */
import { readFile, writeFile } from 'node:fs/promises'
import { DOCUMENTED_GATEWAY } from '../docs-settings.ts'
import { errorDocument } from '../errors/error-catalogue-page.ts'
import { generateParts } from './adapt-document.ts'
import { GUIDES } from './guide-list.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)

for (const { file } of GUIDES) {
  const path = new URL(file, DOCUMENTS)
  await writeFile(path, generateParts(await readFile(path, 'utf8'), DOCUMENTED_GATEWAY))
}
await writeFile(new URL('errors.md', DOCUMENTS), errorDocument())
