/** Runs the conformance suite of providers over the sandbox's, which speaks Currencycloud's interface. */
import { fxConformance } from '../providers/conformance/fx-provider-conformance.ts'
import { openSandboxHarness } from '../testing/sandbox-harness.ts'

fxConformance('Currencycloud, at the sandbox', openSandboxHarness)
