#!/usr/bin/env node
import { launch } from './launch.mjs';

launch({ program: 'bridge.js', nodeFlags: ['--disable-sigusr1'], buildTargets: ['bridge'] });
