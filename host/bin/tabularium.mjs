#!/usr/bin/env node
import { launch } from './launch.mjs';

// SIGUSR1 would open the inspector, and a driver process runs as the same user and can signal its parent.
launch({ program: 'main.js', nodeFlags: ['--disable-sigusr1'], buildTargets: ['host'] });
