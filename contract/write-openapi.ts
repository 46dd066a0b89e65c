/** Writes docs/openapi.json and the parts of the TypeScript client that are generated from the contract. */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from './openapi/openapi-document.ts'
import { clientSource } from './typescript/client-source.ts'

writeFileSync(new URL('../docs/openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
for (const [file, text] of Object.entries(clientSource())) {
  writeFileSync(new URL(`../sdk/generated/${file}`, import.meta.url), text)
}
