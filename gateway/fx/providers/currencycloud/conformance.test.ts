/** Runs the FX conformance suite with the Currencycloud connector over the sandbox provider. */

import { randomCases } from '../../../../setup/random-cases.ts'
import { openSandboxHarness } from '../../testing/sandbox-harness.ts'
import { fxProviderConformance } from '../conformance/fx-provider-conformance.ts'

fxProviderConformance('Currencycloud, at the sandbox', randomCases(30), openSandboxHarness)
