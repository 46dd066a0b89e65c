/** Writes docs/sandbox.md. */
import { writeFileSync } from 'node:fs'
import { demoWorld } from '../read-world.ts'
import { sandboxGuide } from './guide.ts'

writeFileSync(new URL('../../../docs/sandbox.md', import.meta.url), sandboxGuide(demoWorld()))
