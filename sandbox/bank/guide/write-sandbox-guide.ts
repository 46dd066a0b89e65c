/** Writes docs/sandbox.md. */
import { writeFileSync } from 'node:fs'
import { loadDemoFixture } from '../load-fixture.ts'
import { sandboxGuide } from './sandbox-guide.ts'

writeFileSync(new URL('../../../docs/sandbox.md', import.meta.url), sandboxGuide(loadDemoFixture()))
