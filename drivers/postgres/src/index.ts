import { defineDriver } from '@tabularium/sdk';
import { connect } from './connect.ts';

export const driver = defineDriver({ id: 'postgres', connect });
