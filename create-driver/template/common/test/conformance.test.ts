import { describe, it } from 'vitest';
import { describeDriverConformance } from '@tabularium/sdk/testing';
import { plan } from './plan.ts';

// Everything that can be seen of a driver from outside: pages without gaps, exact values, honest sorts and filters, error codes, cancelling,
// and every facet that the session has.
describeDriverConformance('{{id}}', plan, { describe, it });
