/** Writes the generated files of the Python client; `npm run openapi` runs it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDocument } from './openapi-types.ts'
import { pythonClientFiles } from './python-client-files.ts'

for (const [path, text] of Object.entries(pythonClientFiles(readDocument()))) {
  const file = fileURLToPath(new URL(`../src/havn/${path}`, import.meta.url))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
