/** Writes docs/openapi.json. */
import { writeFileSync } from 'node:fs'
import { openApiDocument } from './openapi/openapi-document.ts'

writeFileSync(new URL('../docs/openapi.json', import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
