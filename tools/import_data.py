#!/usr/bin/env python3
"""Converts collected raw material into the data/ folder of gpuguide.

    python3 tools/import_data.py SOURCE_DIR data

SOURCE_DIR holds four folders of CSV tables: benchmarks/ (one sub-folder a source), prices/ (dated
snapshots), specs/ (devices, aliases) and system/ (host parts, electricity, currencies).
The output needs none of them afterwards. Same source, same bytes: no clock, no random number, sorted
order. Only the standard library is used. README.md and SOURCES.md of data/ are written by hand and
never touched here.

What is made from what, and every decision

devices.csv    specs/devices.csv, columns kept; tensor_fp8_tflops, tensor_fp4_tflops and note joined from
               specs/extra.csv; then EXTRA_DEVICES, entered by hand for devices that only benchmarks know.
aliases.csv    specs/aliases.csv with a scope by the source of each spelling (SCOPE); the names benchmarks
               use; the names NVIDIA drivers report; AMBIGUOUS names, listed for each card they may mean.
               Spellings are compared without case, blanks, '-' and '_'.
contributions/ benchmarks/<source>/*.csv cut into one file a machine under its series (series_of). Cells are
               kept byte for byte, faulty values too, but for three columns:
               class         llm for token generation and prompt reading (LLM_RE);
               workload      DeepBench workloads that share a name over several batch sizes get -bN before
                             the phase, because there the batch is part of the work;
               device_count  TPUv2, TPUv3 and TPUv4 are four-chip devices in devices.csv: chips become
                             devices (/4), the cores MLPerf v0.5 counts too (/8). Where that does not divide
                             the count stays and is printed. TPU v5 and later are rented and listed by chip.
workloads.csv  one row a (workload, metric) of the contributions. lo and hi: the sound rows' extremes times
               the factors of MARGIN, rounded outward to one digit, but for RANGE_OVERRIDES.
               flop_per_sample (1 multiply-add = 2 FLOP, training = 3 x forward) only where the name fixes
               the work: see flop_of. Convolutions and VGG and AlexNet nets stay empty: Winograd kernels do
               less arithmetic than the count, so a sound row can pass the peak.
               use: `score` for the figure scores are made of, `info` for derived or repeated ones (use_of).
overrides.csv  the 18 Lambda logs that ran out of memory after one result line (OUT_OF_MEMORY).
failed_runs.csv the two lists of runs without a usable value, one header; TensorFlow batches are a device's.
prices/        n=... and stat=... move from the end of `source` to columns of their own. chipset-stats,
               guide2019-nearest and raw/ are not data of their own and stay behind; the DAWNBench cloud file
               is checked to be inside the dated files and left out. An n that is not a number (one eBay row
               has a price there) is left in `source`. Cloud rows of the wrong card get the one that their
               instance is named after (OTHER_CARD); retail statistics that mixed cards of several memory
               sizes are replaced where the listing they came from is known (OTHER_MEMORY).
system/        four tables copied; the misaligned electricity table is left out.
estimates.csv  figures of the TPU that authors gave; without a ratio: why there is none.

At the end the script checks itself: rows out = rows in, every pair has one unit, every price is of a known
device, every device name resolves or is meant not to.
"""
import collections
import csv
import glob
import math
import os
import re
import shutil
import sys

HEADER = ('machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,'
          'framework,driver,repeat,source').split(',')
LLM_RE = re.compile(r'-(tg|pp)\d*(-d\d+)?$')
SHEET = 'vendor data sheet, entered by hand'

# Devices that only the benchmarks know. Empty = not known. Max-Q and laptop tensor rates are
# SMs x boost clock x the rate of one SM, with the boost clock of the row.
EXTRA_DEVICES = [
    dict(device='RTX 2070 Max-Q', vendor='NVIDIA', family='GeForce', architecture='Turing',
         release_date='2019-01-06', memory_gb='8', memory_type='GDDR6', bandwidth_gbs='384',
         fp32_tflops='5.46', fp16_tflops='10.92', tensor_fp16_tflops='43.7',
         tensor_fp16_acc32_tflops='21.8', tensor_int8_tops='87.4', tensor_cores='288', cuda_cores='2304',
         boost_mhz='1185', tdp_w='80', form_factor='laptop', compute_capability='7.5', datacenter_ok='no',
         note='laptop part; clock of the 80 W setting'),
    dict(device='RTX 2080 Max-Q', vendor='NVIDIA', family='GeForce', architecture='Turing',
         release_date='2019-01-06', memory_gb='8', memory_type='GDDR6', bandwidth_gbs='384',
         fp32_tflops='6.45', fp16_tflops='12.9', tensor_fp16_tflops='51.6',
         tensor_fp16_acc32_tflops='25.8', tensor_int8_tops='103.2', tensor_cores='368', cuda_cores='2944',
         boost_mhz='1095', tdp_w='80', form_factor='laptop', compute_capability='7.5', datacenter_ok='no',
         note='laptop part; clock of the 80 W setting, 1230 MHz at 90 W'),
    dict(device='RTX 2080 SUPER Max-Q', vendor='NVIDIA', family='GeForce', architecture='Turing',
         release_date='2020-04-02', memory_gb='8', memory_type='GDDR6', bandwidth_gbs='352',
         fp32_tflops='6.64', fp16_tflops='13.27', tensor_fp16_tflops='53.1',
         tensor_fp16_acc32_tflops='26.5', tensor_int8_tops='106.2', tensor_cores='384', cuda_cores='3072',
         boost_mhz='1080', tdp_w='80', form_factor='laptop', compute_capability='7.5', datacenter_ok='no',
         note='laptop part; clock of the 80 W setting'),
    dict(device='RTX 3080 Laptop', vendor='NVIDIA', family='GeForce', architecture='Ampere',
         release_date='2021-01-12', memory_gb='16', memory_type='GDDR6', bandwidth_gbs='448',
         fp32_tflops='21.01', fp16_tflops='21.01', bf16_tflops='42.0', tensor_fp16_tflops='84.1',
         tensor_fp16_acc32_tflops='42.0', tensor_tf32_tflops='21.0', tensor_int8_tops='168.1',
         tensor_cores='192', cuda_cores='6144', boost_mhz='1710', tdp_w='150', form_factor='laptop',
         compute_capability='8.6', datacenter_ok='no',
         note='laptop part, 80 to 150 W; clock of the highest setting (1245 MHz at the lowest); '
              '8 GB and 16 GB variants exist, Max-Q ones with slower memory'),
    dict(device='Radeon Pro VII', vendor='AMD', family='Radeon Pro', architecture='GCN 5.1',
         release_date='2020-05-13', launch_price_usd='1899', memory_gb='16', memory_type='HBM2',
         bandwidth_gbs='1024', fp32_tflops='13.1', fp16_tflops='26.2', cuda_cores='3840', tdp_w='250',
         form_factor='dual-slot', cooling='blower', pcie='4.0 x16', datacenter_ok='yes'),
    dict(device='GB200', vendor='NVIDIA', family='Grace Blackwell', architecture='Blackwell',
         release_date='2024-03-18', memory_gb='186', memory_type='HBM3e', bandwidth_gbs='8000',
         fp32_tflops='80', bf16_tflops='2500', tensor_fp16_tflops='2500', tensor_fp16_acc32_tflops='2500',
         tensor_tf32_tflops='1250', tensor_int8_tops='5000', tensor_fp8_tflops='5000',
         tensor_fp4_tflops='10000', nvlink_gbs='1800', compute_capability='10.0', datacenter_ok='yes',
         note='per GPU, one of the two on a superchip: a 72nd of the NVL72 figures'),
    dict(device='GH200 141GB', vendor='NVIDIA', family='Grace Hopper', architecture='Hopper',
         release_date='2023-08-08', memory_gb='141', memory_type='HBM3e', bandwidth_gbs='4900',
         fp32_tflops='67', bf16_tflops='989.4', tensor_fp16_tflops='989.4',
         tensor_fp16_acc32_tflops='989.4', tensor_tf32_tflops='494.7', tensor_int8_tops='1978.9',
         tensor_fp8_tflops='1978.9', tensor_cores='528', cuda_cores='16896', nvlink_gbs='900',
         compute_capability='9.0', datacenter_ok='yes'),
    dict(device='Ascend 910', vendor='Huawei', family='Ascend', architecture='Da Vinci',
         release_date='2019-08-23', memory_gb='32', memory_type='HBM2', tensor_fp16_tflops='256',
         tensor_int8_tops='512', tdp_w='310', datacenter_ok='yes'),
    dict(device='M1 7-core GPU', vendor='Apple', family='M1', architecture='M1',
         release_date='2020-11-10', bandwidth_gbs='68.3', fp32_tflops='2.3',
         note='memory shared with the CPU, 8 or 16 GB; 7/8 of the 2.6 TFLOPS of the 8-core part'),
    dict(device='M1 Max 24-core GPU', vendor='Apple', family='M1', architecture='M1',
         release_date='2021-10-18', bandwidth_gbs='400', note='memory shared with the CPU, 32 or 64 GB'),
    dict(device='M1 Max 32-core GPU', vendor='Apple', family='M1', architecture='M1',
         release_date='2021-10-18', bandwidth_gbs='400', fp32_tflops='10.4',
         note='memory shared with the CPU, 32 or 64 GB'),
    dict(device='M1 Ultra 64-core GPU', vendor='Apple', family='M1', architecture='M1',
         release_date='2022-03-08', bandwidth_gbs='800', fp32_tflops='21',
         note='memory shared with the CPU, 64 or 128 GB'),
    dict(device='M2 GPU', vendor='Apple', family='M2', architecture='M2',
         release_date='2022-06-06', bandwidth_gbs='100',
         note='memory shared with the CPU; 8 or 10 cores, the source does not say'),
    dict(device='M2 Ultra 76-core GPU', vendor='Apple', family='M2', architecture='M2',
         release_date='2023-06-05', bandwidth_gbs='800', fp32_tflops='27.2',
         note='memory shared with the CPU, 64 to 192 GB'),
    dict(device='M3 Max 40-core GPU', vendor='Apple', family='M3', architecture='M3',
         release_date='2023-10-30', bandwidth_gbs='400', note='memory shared with the CPU, 48 to 128 GB'),
    dict(device='M4 GPU', vendor='Apple', family='M4', architecture='M4',
         release_date='2024-05-07', bandwidth_gbs='120', note='memory shared with the CPU; 8 or 10 cores'),
    dict(device='Xeon E5-2630 v3', vendor='Intel', family='Xeon', architecture='Haswell',
         release_date='2014-09-08', bandwidth_gbs='59', tdp_w='85', form_factor='socket',
         datacenter_ok='yes', note='CPU with 8 cores; bandwidth of four DDR4-1866 channels'),
    dict(device='Xeon Platinum 8124M', vendor='Intel', family='Xeon', architecture='Skylake',
         form_factor='socket', datacenter_ok='yes',
         note='CPU made for one cloud provider; no public data sheet'),
]

# Where a spelling comes from says where it may be trusted: `any` everywhere, else that kind of input only.
SCOPE = {
    'canonical': 'any', 'RightNow/TechPowerUp': 'any', 'pcpartpicker chipset': 'retail',
    'ebay table': 'retail', 'skypilot catalogue': 'cloud', 'FSDL cloud table': 'cloud',
    'measured data': 'benchmark', 'the guide': 'any',
}
V100 = ['Tesla V100 PCIe 16GB', 'Tesla V100 PCIe 32GB', 'Tesla V100 SXM2 16GB', 'Tesla V100 SXM2 32GB',
        'Tesla V100 SXM3 32GB', 'Tesla V100S PCIe 32GB']
P100 = ['Tesla P100 PCIe 12GB', 'Tesla P100 PCIe 16GB', 'Tesla P100 SXM2']
A100 = ['A100 PCIe 40GB', 'A100 PCIe 80GB', 'A100 SXM4 40GB', 'A100 SXM4 80GB']
H100 = ['H100 PCIe 80GB', 'H100 SXM5 80GB', 'H100 NVL 94GB']
AMBIGUOUS = {
    'V100': V100, 'NVIDIA V100': V100, 'Tesla V100': V100, 'NVIDIA Tesla V100': V100,
    'Tesla V100-PCIe': V100[:2], 'V100-PCIe': V100[:2], 'Tesla V100-SXM2': V100[2:4], 'V100-SXM2': V100[2:4],
    'A100': A100, 'NVIDIA A100': A100, 'A100 PCIe': A100[:2], 'NVIDIA A100 PCIe': A100[:2],
    'A100 SXM': A100[2:], 'NVIDIA A100 SXM': A100[2:], 'A100 SXM4': A100[2:],
    'H100': H100, 'NVIDIA H100': H100,
    'H200': ['H200 SXM 141GB', 'H200 NVL 141GB'],
    'GH200': ['GH200 96GB', 'GH200 141GB'],
    'P100': P100, 'Tesla P100': P100, 'NVIDIA Tesla P100': P100,
    'Tesla P100-PCIe': P100[:2], 'P100-PCIe': P100[:2],
    'Titan X': ['GTX Titan X (Maxwell)', 'Titan X (Pascal)'],
    'NVIDIA Titan X': ['GTX Titan X (Maxwell)', 'Titan X (Pascal)'],
    'RTX 6000': ['Quadro RTX 6000', 'RTX 6000 Ada'],
    'Radeon RX Vega': ['RX Vega 56', 'RX Vega 64'], 'RX Vega': ['RX Vega 56', 'RX Vega 64'],
    'M1 Max GPU': ['M1 Max 24-core GPU', 'M1 Max 32-core GPU'],
    'M1 Max': ['M1 Max 24-core GPU', 'M1 Max 32-core GPU'],
    'Apple M1 Max': ['M1 Max 24-core GPU', 'M1 Max 32-core GPU'],
    'GTX 1060': ['GTX 1060 3GB', 'GTX 1060 6GB'],
    'GeForce GTX 1060': ['GTX 1060 3GB', 'GTX 1060 6GB'],
    'RTX 4060 Ti': ['RTX 4060 Ti 8GB', 'RTX 4060 Ti 16GB'],
    'GeForce RTX 4060 Ti': ['RTX 4060 Ti 8GB', 'RTX 4060 Ti 16GB'],
    'NVIDIA GeForce RTX 4060 Ti': ['RTX 4060 Ti 8GB', 'RTX 4060 Ti 16GB'],
    'RTX 5060 Ti': ['RTX 5060 Ti 8GB', 'RTX 5060 Ti 16GB'],
    'GeForce RTX 5060 Ti': ['RTX 5060 Ti 8GB', 'RTX 5060 Ti 16GB'],
    'NVIDIA GeForce RTX 5060 Ti': ['RTX 5060 Ti 8GB', 'RTX 5060 Ti 16GB'],
}
# name, device, scope, used_by: spellings the tables lack.
EXTRA_ALIASES = [
    ('GTX 2080 Ti', 'RTX 2080 Ti', 'any', 'guide 2019'),
    ('XP Titan', 'Titan Xp', 'any', 'guide 2019'),
    ('Titan XP', 'Titan Xp', 'any', 'guide 2019'),
    ('RTX Titan', 'Titan RTX', 'any', 'guide 2019'),
    ('RTX 3080', 'RTX 3080 10GB', 'any', 'short form, as the vendor prefix form'),
    ('GeForce RTX 2070 Max-Q', 'RTX 2070 Max-Q', 'any', 'measured data'),
    ('GeForce RTX 2080 Max-Q', 'RTX 2080 Max-Q', 'any', 'measured data'),
    ('GeForce RTX 2080 Super Max-Q', 'RTX 2080 SUPER Max-Q', 'any', 'measured data'),
    ('GeForce RTX 3080 Laptop', 'RTX 3080 Laptop', 'any', 'measured data'),
    ('NVIDIA A100 80GB PCIe', 'A100 PCIe 80GB', 'any', 'driver name'),
    ('NVIDIA H100 80GB HBM3', 'H100 SXM5 80GB', 'any', 'driver name'),
    ('NVIDIA H100 PCIe', 'H100 PCIe 80GB', 'any', 'driver name'),
    ('NVIDIA H100 NVL', 'H100 NVL 94GB', 'any', 'driver name'),
    ('NVIDIA H200', 'H200 SXM 141GB', 'any', 'driver name'),
    ('NVIDIA GB200', 'GB200', 'any', 'driver name'),
    ('NVIDIA GH200 480GB', 'GH200 96GB', 'any', 'driver name; 480GB is the memory of the host'),
    ('NVIDIA GH200 144G HBM3e', 'GH200 141GB', 'any', 'driver name'),
    ('Nvidia Tesla V100S-PCIe-32GB', 'Tesla V100S PCIe 32GB', 'benchmark', 'mlperf-training'),
]
# Source names in the benchmarks' own device tables that are no name of one card.
NOT_AN_ALIAS = {
    'NA', 'TPU', 'NVIDIA A10G', 'NVIDIA H100-SXM5-96GB', 'H100 NVL Tensor Core GPU (PCIe)',
    'NVIDIA GH200 SXM', 'Nvidia TitanX', 'M2 Air', 'p3.16xlarge', 'p3.2xlarge', 'g3.4xlarge',
    'Azure ND40s_v2', 'CPU: Dual Xeon E5-2630 v3', 'Nvidia Tesla V100S-PCIe-32GB', 'NVIDIA Tesla P100',
}

# Source names that describe a machine, several cards or a cloud offer.
WHOLE_MACHINE = re.compile(r'\*|/|\(.*(AWS|Amazon|GCP|CUDA|p3)|^\d+ (GPU|K80|nodes|NV|TPU|V100|ecs|p3|P\d|T4|M60)|'
                           r'DeepBench|TPU|Cloud|IBM|Paperspace|RiseML|Mac Studio', re.I)

# The cards of the 18 Lambda logs that ran out of memory after one result line.
OUT_OF_MEMORY = {
    ('waveglow', 'fp16'): ['A4000', '2xA4000', '4xA4000', '8xA4000', '16xA4000', 'A40', '2xA40', '3080Max-Q'],
    ('gnmt', 'fp32'): ['A40', '2xA40', '8xA40'],
    ('gnmt', 'fp16'): ['A4000', '4x2080Ti_trt', '2080MaxQ'],
    ('tacotron2', 'fp16'): ['8xV100'],
}

LAMBDA_PT = 'https://github.com/lambdal/deeplearning-benchmark'
ML = 'https://github.com/mlcommons/training_results_'
# series, title, rules, software, date, licence, comparable, url
SERIES = [
    ('cgnorthcutt', 'C. Northcutt, CNN times of RTX 2080 Ti and Titan RTX',
     'time an image of one training pass; cold, warm and all cards busy', 'PyTorch', '2019', 'MIT', 'yes',
     'https://github.com/cgnorthcutt/cnn-gpu-benchmarks'),
    ('dawnbench', 'DAWNBench, Stanford', 'hours until a set accuracy; every entry is other code on another host',
     'various', '2017-10 to 2020-03', 'none stated', 'no',
     'https://github.com/stanford-futuredata/dawn-bench-entries'),
    ('deepbench', 'Baidu DeepBench, training operations',
     'time of single matrix products, convolutions, recurrent layers and all-reduce',
     'vendor libraries (CUDA 7.5 to 10.1, ROCm, MKL)', '2017-12 to 2019-10', 'Apache-2.0', 'yes',
     'https://github.com/baidu-research/DeepBench'),
    ('issue-threads', 'Single figures in issues and pull requests', 'unreviewed reports, no common rules',
     'various', '2019-08 to 2026-03', 'none stated', 'no', 'see the source of each row'),
] + [
    ('jcjohnson-' + slug, 'J. Johnson, cnn-benchmarks, ' + title, 'time of a forward and backward pass of 16 images',
     'Torch7, ' + title, '2016 to 2017', 'MIT', 'yes', 'https://github.com/jcjohnson/cnn-benchmarks')
    for slug, title in (('cudnn4.0', 'cuDNN 4'), ('cudnn5.0', 'cuDNN 5.0'), ('cudnn5.1', 'cuDNN 5.1'),
                        ('nn', 'own kernels (nn)'))
] + [
    ('lambda-blog-2019', 'Lambda, RTX 2080 Ti deep learning benchmarks (fp32 half)',
     'images a second, synthetic data', 'TensorFlow 1.12, CUDA 10.0', '2019-03', 'none stated', 'yes',
     'https://lambdalabs.com/blog/2080-ti-deep-learning-benchmarks'),
    ('lambda-blog-2020', 'Lambda, Choosing the best GPU for deep learning (image half)',
     'images a second at the largest batch that fits', 'not stated', '2020-02', 'none stated', 'yes',
     'https://lambdalabs.com/blog/choosing-a-gpu-for-deep-learning'),
    ('lambda-pytorch-v0', 'Lambda PyTorch benchmark, first generation',
     'NVIDIA training examples, largest batch that fits', 'NVIDIA containers 20.01 to 21.x',
     '2020-03 to 2022', 'none stated', 'yes', LAMBDA_PT),
    ('lambda-pytorch-v1', 'Lambda PyTorch benchmark, second generation',
     'NVIDIA training examples, largest batch that fits', 'newer container and model code, names ending _v1',
     '2022 to 2024', 'none stated', 'yes', LAMBDA_PT),
    ('lambda-pytorch-v2', 'Lambda PyTorch benchmark, third generation',
     'NVIDIA training examples, largest batch that fits, three repeats', 'names ending _v2 or _v2_bk',
     'to 2025-12', 'none stated', 'yes', LAMBDA_PT),
] + [
    ('lambda-tensorflow%s%s' % (tf, suffix), 'Lambda TensorFlow benchmark, %s, %s XLA' % (version, word),
     'tf_cnn_benchmarks, training and inference, %s XLA' % word, version + note, '2020-06 to 2021-04',
     'BSD style (Lambda Labs 2018)', 'yes', 'https://github.com/lambdal/lambda-tensorflow-benchmark')
    for tf, version, note in (('1', 'TensorFlow 1.15', '; the Radeon Pro VII machines do not say'),
                              ('2', 'TensorFlow 2.2 to 2.4', ''))
    for suffix, word in (('', 'without'), ('-xla', 'with'))
] + [
    ('llm-inference', 'X. Dai, GPU benchmarks on LLM inference',
     'llama.cpp, Llama 3 8B and 70B, tokens a second', 'llama.cpp of 2024-05', 'to 2024-05', 'none stated',
     'yes', 'https://github.com/XiongjieDai/GPU-Benchmarks-on-LLM-Inference'),
    ('mamf', 'S. Bekman, maximum achievable matmul FLOPS',
     'best of many shapes, every card its own shape', 'PyTorch 2.5 to 2.10', '2024 to 2026',
     'CC BY-SA 4.0', 'no', 'https://github.com/stas00/ml-engineering'),
    ('mlperf-v0.5', 'MLPerf Training v0.5', 'minutes to target quality, closed and open divisions mixed',
     'various', '2018-10 to 2018-12', 'Apache-2.0', 'no', ML + 'v0.5'),
    ('mlperf-v0.6', 'MLPerf Training v0.6', 'minutes to target quality, closed and open divisions mixed',
     'various', '2019', 'Apache-2.0', 'no', ML + 'v0.6'),
    ('mlperf-v0.7', 'MLPerf Training v0.7', 'minutes to target quality, closed and open divisions mixed',
     'various', '2020', 'Apache-2.0', 'no', ML + 'v0.7'),
    ('mlperf-v3.1', 'MLPerf Training v3.1', 'minutes to target quality, closed and open divisions mixed',
     'various', '2023', 'Apache-2.0', 'no', ML + 'v3.1'),
    ('mlperf-v4.1', 'MLPerf Training v4.1', 'minutes to target quality, closed and open divisions mixed',
     'various', 'to 2024-10', 'none stated', 'no', ML + 'v4.1'),
    ('riseml-2018', 'RiseML, TPU v2 against four V100', 'images a second, as quoted by a reader',
     'not stated', '2018-04', 'none stated', 'yes', 'https://hn.masterscheme.cn/item?id=16931394'),
    ('ryujaehun', 'ryujaehun, pytorch-gpu-benchmark',
     'time of one pass of 12 images a card, training and inference', 'PyTorch', '2019-01 to 2021-01', 'MIT',
     'yes', 'https://github.com/ryujaehun/pytorch-gpu-benchmark'),
    ('tf-metal', 'tlkh, tf-metal-experiments', 'RTX 3090 with XLA and mixed precision, M1 Max without',
     'TensorFlow 2', '2021-11', 'MIT', 'no', 'https://github.com/tlkh/tf-metal-experiments'),
] + [
    ('u39kun-' + slug, 'u39kun, deep-learning-benchmark, ' + title, 'time of one pass of 16 images', title,
     '2017-12 to 2019-01', 'none stated', 'yes', 'https://github.com/u39kun/deep-learning-benchmark')
    for slug, title in (('caffe20.8.1', 'Caffe2 0.8.1'), ('pytorch0.3.0', 'PyTorch 0.3.0'),
                        ('pytorch1.0.0', 'PyTorch 1.0.0'), ('tensorflow1.4.0', 'TensorFlow 1.4.0'),
                        ('tensorflow1.5.0', 'TensorFlow 1.5.0'), ('tensorflow1.12.0', 'TensorFlow 1.12.0'))
]

# Believable range = extremes of the sound rows x these. (below, above) for rates, (below, above) for times.
# A rate far too high and a time far too short are the impossible ones; slow hosts are honest.
WIDE = {'web-pages', 'issue-threads', 'tf-metal', 'mamf', 'deepbench', 'jcjohnson', 'ryujaehun', 'u39kun',
        'cgnorthcutt', 'dawnbench'}  # few or old devices: today's are much faster
MARGIN = {'rate': (100, 10), 'rate-wide': (100, 100), 'time': (10, 100), 'time-wide': (50, 100)}
# One card reaches 3e7 to 1e8 samples/s and the best honest 8 cards 5.8e8; a timer fault gives up to 2.9e10.
RANGE_OVERRIDES = {('ncf', 'throughput'): ('100000', '1000000000')}

# Multiply-adds of one forward pass of one image, from the layer lists of the published networks.
RESNET50_MAC = 4089184256          # v1.5, 224x224; 54 layers summed
CNN_MAC = {'resnet50': RESNET50_MAC, 'resnet152': 11513626624, 'inception3': 5713216096,
           'inception4': 12270000000}


def bert_squad_mac(layers, width, tokens=384):
    """Forward multiply-adds of one question and passage: L S (12 H^2 + 2 S H) + S x 2 x H for the answer."""
    return layers * tokens * (12 * width**2 + 2 * tokens * width) + 2 * tokens * width


def llama3_mac(layers, width, ffn, kv=1024):
    """Multiply-adds of one token in the layers, attention scores left out."""
    return layers * (2 * width**2 + 2 * width * kv + 3 * width * ffn)


TOKEN_MAC = {'llama3-8b': (llama3_mac(32, 4096, 14336), 4096 * 128256),
             'llama3.1-8b': (llama3_mac(32, 4096, 14336), 4096 * 128256),
             'llama3-70b': (llama3_mac(80, 8192, 28672), 8192 * 128256)}
GATES = {'lstm': 4, 'gru': 3, 'vanilla': 1}


def flop_of(workload, metric):
    """FLOP of one unit of the rate, or of the whole timed operation; '' where the name does not fix it.

    RNN layers: DeepBench counts the recurrent product alone, 2 x gates x H^2 x batch x steps. A step of a
    network has no figure: the batch is not in its name. Prompt reading works out the logits of the last
    token only, so its figure leaves the vocabulary out."""
    if metric == 'tflops':
        return '' if workload.startswith('conv-') else 10**12
    if metric == 'throughput':
        m = re.fullmatch(r'(resnet50|resnet152|inception3|inception4)(-infer)?(-real|-distort|-xla)*',
                         workload)
        if m:
            return 2 * CNN_MAC[m[1]] * (1 if m[2] else 3)
        if re.fullmatch(r'bert-base-squad(_\d+)?', workload):
            return 6 * bert_squad_mac(12, 768)
        if workload == 'bert-large-squad':
            return 6 * bert_squad_mac(24, 1024)
        m = re.fullmatch(r'(llama3(?:\.1)?-(?:8|70)b)-(tg|pp)\d+', workload)
        if m:
            layers, logits = TOKEN_MAC[m[1]]
            return 2 * (layers + (logits if m[2] == 'tg' else 0))
    if metric == 'time':
        m = re.fullmatch(r'gemm-(\d+)x(\d+)x(\d+)(-[NT][NT])?', workload)
        if m:
            return 2 * int(m[1]) * int(m[2]) * int(m[3])
        m = re.fullmatch(r'(lstm|gru|vanilla)-h(\d+)-t(\d+)-b(\d+)-(fwd|total)', workload)
        if m:
            fwd = 2 * GATES[m[1]] * int(m[2])**2 * int(m[3]) * int(m[4])
            return fwd * (3 if m[5] == 'total' else 1)
    return ''


def use_of(workload, metric, metrics):
    """`score` for the figure scores are made of, `info` for derived or repeated ones."""
    if metric in ('time-min', 'time-max', 'time-to-abort', 'throughput-first-step'):
        return 'info'
    if metric == 'tflops' and 'time' in metrics:
        return 'info'
    if metric == 'throughput' and workload.startswith('allreduce-'):
        return 'info'
    if re.search(r'-(real|distort|cold|allgpus|xla)$', workload) or re.search(r'squad_\d+$', workload):
        return 'info'
    if workload.endswith('-bwd') and not re.match(r'(conv|lstm|gru|vanilla)-', workload):
        return 'info'  # a part of the step that the name without suffix times whole
    return 'score'


TITLES = {
    'alexnet': 'AlexNet', 'inception-v1': 'Inception v1', 'inception3': 'Inception v3',
    'inception4': 'Inception v4', 'ssd': 'SSD object detector', 'maskrcnn': 'Mask R-CNN',
    'mask': 'Mask R-CNN', 'gnmt': 'GNMT translation', 'bert': 'BERT', 'bert-large': 'BERT-large',
    'distilbert': 'DistilBERT', 'transformerxl-base': 'Transformer-XL base',
    'transformerxl-large': 'Transformer-XL large', 'ncf': 'NCF recommender', 'tacotron2': 'Tacotron 2 speech',
    'waveglow': 'WaveGlow vocoder', 'dlrm': 'DLRM recommender', 'dlrm_dcnv2': 'DLRM-DCNv2 recommender',
    'gnn': 'Graph neural network', 'gpt3': 'GPT-3', 'llama2_70b_lora': 'Llama 2 70B LoRA',
    'minigo': 'MiniGo', 'resnet': 'ResNet-50 v1.5', 'rnnt': 'RNN-T speech',
    'stable_diffusion': 'Stable Diffusion', 'transformer': 'Transformer translation', 'unet3d': '3D U-Net',
    'nasnet-large': 'NASNet-large', 'deeplabv3': 'DeepLab v3', 'yolov3': 'YOLO v3',
    'pix2pix-hd': 'pix2pix HD', 'stylegan': 'StyleGAN', 'mobilenet_v2': 'MobileNet v2',
    'mobilenetv2': 'MobileNet v2', 'bidaf': 'BiDAF reader', 'drqa': 'DrQA reader',
    'fastfusionnet': 'FastFusionNet reader', 'qanet': 'QANet reader', 'gpt-oss-20b': 'GPT-OSS 20B',
    'amoebanet-d-n6f256': 'AmoebaNet-D (6, 256)', 'llama3-8b': 'Llama 3 8B', 'llama3-70b': 'Llama 3 70B',
    'llama3.1-8b': 'Llama 3.1 8B', 'llama3.2-3b': 'Llama 3.2 3B', 'llama-8b': 'Llama 8B',
    'mistral-7b': 'Mistral 7B', 'qwen2-7b': 'Qwen2 7B', 'gemma-2b': 'Gemma 2B',
    'tinyllama-1.1b': 'TinyLlama 1.1B', 'baidunet9': 'BaiduNet9', 'baidunet9p': 'BaiduNet9P',
    'custom-resnet-9': 'custom ResNet-9', 'custom-wide-resnet': 'custom wide ResNet',
    'kakao-brain-custom-resnet9': 'Kakao Brain custom ResNet-9', 'kervresnet34': 'KervResNet-34',
    'resnet18-minor-modifications': 'ResNet-18 with minor changes', 'resnet50-v1-5': 'ResNet-50 v1.5',
    'resnet-50-v1-5': 'ResNet-50 v1.5',
    'resnet-164-with-bottleneck': 'ResNet-164 with bottleneck',
    'resnet-164-without-bottleneck': 'ResNet-164 without bottleneck',
}
PHASES = {'fwd': 'forward', 'bwd': 'backward', 'bwd-inputs': 'backward to the inputs',
          'bwd-weights': 'backward to the weights', 'bwd-params': 'backward to the weights',
          'total': 'forward and backward'}
METRIC_NOTE = {'time-min': ', shortest pass', 'time-max': ', longest pass', 'time-to-train': ', time to target quality',
               'time-to-abort': ', time until the run was given up', 'time-to-accuracy': ', time to accuracy',
               'throughput-first-step': ', first step only', 'time-per-image': ', time an image'}


def net_title(name):
    """The name of a network as a reader writes it."""
    if name in TITLES:
        return TITLES[name]
    for pattern, form in ((r'resnet-?(\d+)', 'ResNet-{}'), (r'vgg-?(\d+)', 'VGG-{}'),
                          (r'vgg(\d+)_bn', 'VGG-{} with batch norm'), (r'densenet(\d+)', 'DenseNet-{}'),
                          (r'squeezenet(\d)_(\d)', 'SqueezeNet {}.{}'), (r'mnasnet(\d)_(\d+)', 'MNASNet {}.{}'),
                          (r'shufflenet_v2_x(\d)_(\d)', 'ShuffleNet v2 x{}.{}'),
                          (r'resnext(\d+)_(\w+)', 'ResNeXt-{} {}'), (r'wide_resnet(\d+)_2', 'Wide ResNet-{}'),
                          (r'resnet-?(\d+)-(.+)', 'ResNet-{} {}')):
        m = re.fullmatch(pattern, name)
        if m:
            return form.format(*m.groups())
    return name


def title_of(workload, metric):
    note = METRIC_NOTE.get(metric, '')
    m = re.fullmatch(r'gemm-(\d+)x(\d+)x(\d+)(?:-(..))?', workload)
    if m:
        return 'Matrix product %s x %s x %s%s%s' % (m[1], m[2], m[3], ' ' + m[4] if m[4] else '',
                                                    ', rate' if metric == 'tflops' else '')
    m = re.fullmatch(r'mamf-best-(.+)', workload)
    if m:
        return 'Best matrix product found, ' + m[1].replace('x', ' x ')
    m = re.fullmatch(r'allreduce-(\d+)', workload)
    if m:
        return 'All-reduce of %s floats, %s' % (m[1], 'time' if metric == 'time' else 'rate')
    rate = ', rate' if metric == 'tflops' else ''
    m = re.fullmatch(r'conv-(\d+)x(\d+)x(\d+)-k(\d+)-f(\w+)-s(\d+)x\d+(?:-b(\d+))?-(.+)', workload)
    if m:
        return 'Convolution %sx%sx%s to %s channels, filter %s, stride %s%s, %s%s' % (
            m[1], m[2], m[3], m[4], m[5], m[6], ', batch ' + m[7] if m[7] else '', PHASES[m[8]], rate)
    m = re.fullmatch(r'(lstm|gru|vanilla)-h(\d+)-t(\d+)(?:-b(\d+))?-(.+)', workload)
    if m:
        kind = {'lstm': 'LSTM', 'gru': 'GRU', 'vanilla': 'Simple RNN'}[m[1]]
        return '%s layer of %s units, %s steps%s, %s%s' % (
            kind, m[2], m[3], ', batch ' + m[4] if m[4] else '', PHASES[m[5]], rate)
    m = re.fullmatch(r'(.+?)-(tg|pp)(\d*)(?:-d(\d+))?', workload)
    if m:
        return '%s, %s%s%s' % (net_title(m[1]), 'text generation' if m[2] == 'tg' else 'prompt reading',
                               ' of %s tokens' % m[3] if m[3] else '', ' after %s tokens' % m[4] if m[4] else '')
    m = re.fullmatch(r'bert-(base|large)-squad(?:_(\d+))?', workload)
    if m:
        return 'BERT-%s SQuAD fine-tuning%s' % (m[1], ', task folder ' + m[2] if m[2] else '')
    name, tail = workload, []
    for suffix, text in (('-real-distort', 'real distorted images'), ('-real', 'real images'),
                         ('-distort', 'distorted images'), ('-cold', 'cold card'), ('-warm', 'warm card'),
                         ('-allgpus', 'all cards busy'), ('-xla', 'XLA')):
        if name.endswith(suffix):
            name = name[:-len(suffix)]
            tail.insert(0, text)
            break
    phase = 'training'
    for suffix, text in (('-infer', 'inference'), ('-bwd', 'backward pass')):
        if name.endswith(suffix):
            name, phase = name[:-len(suffix)], text
    for suffix, text in (('-cifar100', 'CIFAR-100'), ('-cifar10', 'CIFAR-10'), ('-imagenet', 'ImageNet'),
                         ('-squad', 'SQuAD')):
        if name.endswith(suffix):
            name = name[:-len(suffix)]
            tail.insert(0, text)
    return ', '.join([net_title(name) + ' ' + phase] + tail) + note


def fold(name):
    """How the program compares names: no case, blanks, '-' or '_'."""
    return re.sub(r'[\s_-]', '', name).lower()


def read(path):
    with open(path, newline='', encoding='utf-8') as f:
        return list(csv.DictReader(f))


def write(path, header, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', newline='', encoding='utf-8') as f:
        w = csv.writer(f, lineterminator='\n')
        w.writerow(header)
        w.writerows(rows)


def convert_devices(src, out):
    rows = read(src + '/specs/devices.csv')
    extra = {r['device']: r for r in read(src + '/specs/extra.csv')}
    with open(src + '/specs/devices.csv', newline='', encoding='utf-8') as f:
        header = next(csv.reader(f))
    added = ['tensor_fp8_tflops', 'tensor_fp4_tflops', 'note']
    unknown = sorted(set(extra) - {r['device'] for r in rows})
    assert not unknown, unknown
    for r in rows:
        for c in added:
            r[c] = extra.get(r['device'], {}).get(c, '')
    for d in EXTRA_DEVICES:
        assert set(d) <= set(header + added), d
        rows.append({**{c: '' for c in header + added}, **d, 'source': SHEET})
    names = [fold(r['device']) for r in rows]
    assert len(set(names)) == len(names)
    write(out + '/devices.csv', header + added, [[r[c] for c in header + added] for r in rows])
    return {r['device']: r for r in rows}


def alias_rows(src, devices):
    """(name, device, scope, used_by) of every spelling, in the order of the sources."""
    ambiguous = {fold(n) for n in AMBIGUOUS}
    rows = []
    for r in read(src + '/specs/aliases.csv'):
        if r['used_by'] == 'the guide':
            continue  # EXTRA_ALIASES has them, with the year
        if r['name'] in OTHER_MEMORY_ALIASES:
            continue
        rows.append((r['name'], r['device'], SCOPE[r['used_by']], r['used_by']))
        if r['used_by'] == 'RightNow/TechPowerUp' and devices[r['device']]['vendor'] == 'NVIDIA':
            rows.append(('NVIDIA ' + r['name'], r['device'], 'any', 'driver name'))
    rows += [(d['device'], d['device'], 'any', 'canonical') for d in EXTRA_DEVICES]
    rows += EXTRA_ALIASES
    known = {}
    for n, d, scope, _ in rows:
        if scope in ('any', 'benchmark'):
            known.setdefault(fold(n), set()).add(d)
    for path in sorted(glob.glob(src + '/benchmarks/*/meta/devices.csv')):
        source = path.split(os.sep)[-3]
        for r in read(path):
            n, target = r['source_name'], known.get(fold(r['device']), set())
            if n in NOT_AN_ALIAS or WHOLE_MACHINE.search(n) or len(target) != 1:
                continue
            if fold(n) in ambiguous or fold(n) in known:
                continue
            rows.append((n, next(iter(target)), 'benchmark', source))
    # A spelling that may mean several cards is never trusted in measured data, whoever else uses it.
    for n, ds in AMBIGUOUS.items():
        rows = [r if fold(r[0]) != fold(n) or r[2] in ('retail', 'cloud') else (r[0], r[1], 'retail', r[3])
                for r in rows]
        rows += [(n, d, 'benchmark', 'ambiguous by design') for d in ds]
    return list(dict.fromkeys(rows))


def convert_aliases(src, out, devices):
    rows = alias_rows(src, devices)
    missing = sorted({d for _, d, _, _ in rows} - set(devices))
    assert not missing, missing
    write(out + '/aliases.csv', ['name', 'device', 'scope', 'used_by'], rows)
    lookup = {}
    for d in devices:
        lookup.setdefault(fold(d), set()).add(d)
    for n, d, scope, _ in rows:
        if scope in ('any', 'benchmark'):
            lookup.setdefault(fold(n), set()).add(d)
    several = {n for n, ds in lookup.items() if len(ds) > 1}
    assert several == {fold(n) for n in AMBIGUOUS}, several ^ {fold(n) for n in AMBIGUOUS}
    return lookup, rows


def series_of(source, path, machine, framework=''):
    # Rows are compared inside one series only, so every software generation is a series of its own.
    if source == 'jcjohnson':
        return 'jcjohnson-' + framework.replace('torch7 ', '').replace('cudnn ', 'cudnn')[:8]
    if source == 'u39kun':
        return 'u39kun-' + framework.replace(' ', '')
    if source == 'lambda-tensorflow':
        return 'lambda-tensorflow' + ('2' if framework.startswith('tensorflow 2') else '1') \
            + ('-xla' if '_XLA' in machine else '')
    if source == 'lambda-pytorch':
        if machine.endswith(('_v2', '_v2_bk')):
            return 'lambda-pytorch-v2'
        return 'lambda-pytorch-v1' if machine.endswith('_v1') else 'lambda-pytorch-v0'
    if source == 'mlperf-training':
        return 'mlperf-' + os.path.basename(path).split('-')[0]
    if source == 'web-pages':
        if machine.startswith('riseml'):
            return 'riseml-2018'
        return 'lambda-blog-2020' if machine.startswith('lambda-blog2020') else 'lambda-blog-2019'
    return source


def shared_names(rows):
    """The DeepBench workloads whose one name covers several batch sizes."""
    batches = collections.defaultdict(set)
    for r in rows:
        batches[r['workload']].add(r['batch_size'])
    return {w for w, b in batches.items() if len(b) > 1}


def with_batch(workload, batch):
    phase = re.search(r'-(fwd|total|bwd(-inputs|-weights|-params)?)$', workload)
    return workload[:phase.start()] + '-b' + batch + phase[0]


def tpu_count(row, series):
    """Four-chip devices out of chips, or out of cores in MLPerf v0.5."""
    if row['device'] not in ('TPU v2', 'TPU v3', 'TPU v4') or not row['device_count']:
        return row['device_count']
    per = 8 if series == 'mlperf-v0.5' else 4
    n = int(row['device_count'])
    if n % per:
        print('note: %s: %d does not divide by %d, kept' % (row['machine'], n, per))
        return row['device_count']
    return str(n // per)


def convert_contributions(src, out):
    for s in SERIES:
        shutil.rmtree('%s/contributions/%s' % (out, s[0]), ignore_errors=True)
    groups, taken, counts = {}, [], collections.Counter()
    for source in sorted(os.listdir(src + '/benchmarks')):
        paths = sorted(glob.glob('%s/benchmarks/%s/*.csv' % (src, source)))
        tables = [(p, read(p)) for p in paths]
        shared = shared_names([r for _, t in tables for r in t]) if source == 'deepbench' else set()
        for path, table in tables:
            for r in table:
                assert list(r) == HEADER, path
                counts['in'] += 1
                series = series_of(source, path, r['machine'], r['framework'])
                r['device_count'] = tpu_count(r, series)
                if LLM_RE.search(r['workload']):
                    r['class'] = 'llm'
                if r['workload'] in shared:
                    r['workload'] = with_batch(r['workload'], r['batch_size'])
                name = re.sub(r'[^A-Za-z0-9._-]', '_', r['machine']) + '.csv'
                groups.setdefault((series, name), []).append(r)
                taken.append((source, series, r))
    for (series, name), rows in sorted(groups.items()):
        assert len({r['machine'] for r in rows}) == 1, name
        write('%s/contributions/%s/%s' % (out, series, name), HEADER, [[r[c] for c in HEADER] for r in rows])
        counts[series] += len(rows)
        counts['out'] += len(rows)
    known = {s[0] for s in SERIES}
    assert {s for s, _ in groups} == known, {s for s, _ in groups} ^ known
    write(out + '/series.csv', 'series,title,rules,software,date,licence,comparable,url'.split(','), SERIES)
    assert counts['in'] == counts['out']
    return groups, taken, counts


def outward(x, up):
    """x to one significant digit, away from the sound values, as a plain decimal."""
    e = math.floor(math.log10(x))
    digit = x / 10.0**e
    digit = math.ceil(digit - 1e-9) if up else max(1, math.floor(digit + 1e-9))
    return ('%.12f' % (digit * 10.0**e)).rstrip('0').rstrip('.')


def convert_workloads(out, taken):
    pairs, metrics = {}, collections.defaultdict(set)
    for source, series, r in taken:
        p = pairs.setdefault((r['workload'], r['metric']), dict(units=set(), classes=set(), values=[],
                                                                sources=set(), series=set()))
        p['units'].add(r['unit'])
        p['classes'].add(r['class'])
        p['sources'].add(source)
        p['series'].add(series)
        metrics[r['workload']].add(r['metric'])
        if float(r['value']) > 0:
            p['values'].append(float(r['value']))
    rows, refused = [], collections.Counter()
    limits = {}
    for (w, m), p in sorted(pairs.items()):
        assert len(p['units']) == 1 and len(p['classes']) == 1, (w, m)
        kind = 'rate' if m in ('throughput', 'tflops', 'throughput-first-step') else 'time'
        below, above = MARGIN[kind + ('-wide' if p['sources'] <= WIDE else '')]
        lo, hi = RANGE_OVERRIDES.get((w, m), (outward(min(p['values']) / below, False),
                                              outward(max(p['values']) * above, True)))
        limits[w, m] = float(lo), float(hi)
        how = ('range by hand' if (w, m) in RANGE_OVERRIDES else
               'range: measured extremes / %d and x %d' % (below, above))
        flop = flop_of(w, m)
        rows.append([w, m, p['classes'].pop(), p['units'].pop(), 'higher' if kind == 'rate' else 'lower', lo, hi,
                     flop, '', use_of(w, m, metrics[w]), title_of(w, m), '+'.join(sorted(p['series'])) + '; ' + how])
    write(out + '/workloads.csv', ('workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,'
                                   'use,title,source').split(','), rows)
    for _, _, r in taken:
        lo, hi = limits[r['workload'], r['metric']]
        if not lo <= float(r['value']) <= hi:
            refused[r['workload'], r['metric'], 'zero' if float(r['value']) == 0 else 'out of range'] += 1
    return rows, refused


def convert_overrides(out, groups):
    rows = []
    for (series, name), table in sorted(groups.items()):
        if series != 'lambda-pytorch-v0':
            continue
        for line, r in enumerate(table, 2):
            if r['machine'] in OUT_OF_MEMORY.get((r['workload'], r['precision']), []):
                rows.append(['%s/%s' % (series, name), line, 'out-of-memory', 'gpuguide',
                             '%s %s: the log ran out of memory after one result line, so its value is partial'
                             % (r['workload'], r['precision'])])
    assert len(rows) == 18, len(rows)
    write(out + '/overrides.csv', ['file', 'line', 'decision', 'who', 'why'], rows)


def convert_failed(src, out):
    header = ('series,machine,date,device,device_count,class,workload,precision,batch_size,'
              'batch_size_per_device,repeat,log_file,log_bytes,reason').split(',')
    rows = []
    for source in ('lambda-pytorch', 'lambda-tensorflow'):
        for r in read('%s/benchmarks/%s/meta/failed-runs.csv' % (src, source)):
            r['series'] = 'lambda-tensorflow' if source == 'lambda-tensorflow' else series_of(source, '', r['machine'])
            assert r.get('generation', r['series'][-2:]) == r['series'][-2:]
            rows.append([r.get(c, '') for c in header])
    write(out + '/failed_runs.csv', header, rows)
    return len(rows)


# Spellings that name a card of another memory size than the device they were given.
OTHER_MEMORY_ALIASES = {'Arc A770 @8GB'}

# Cloud rows filed under a card that is not the one their market names: what the market ends in or holds,
# the device as collected, the device it is. A4000 (16 GB) had been taken for A40 (48 GB) by its first letters;
# the form factor and "3080ti" stand in the name of the instance.
OTHER_CARD = [
    (r':A4000 \(16 GB\)$', 'A40', 'RTX A4000'),
    (r':RTX_A4000_x\d$', 'A40', 'RTX A4000'),
    (r':A100_PCIE_80GB_x\d$', 'A100 SXM4 80GB', 'A100 PCIe 80GB'),
    (r':H100_PCIE_80GB_x\d$', 'H100 SXM5 80GB', 'H100 PCIe 80GB'),
    (r':3080ti [A-Z]+$', 'RTX 3080 10GB', 'RTX 3080 Ti'),
]

# pcpartpicker statistics that counted cards of another memory size under the name of the device, as the
# listing gives them without those: (file, device, currency) to (memory_gb, min, median, n), or None where no
# card of the right size had a price. `gpuguide prices import` reads the same from the listings.
OTHER_MEMORY = {
    ('2017-12-07', 'GTX 750 Ti', 'USD'): ('2', '104.99', '119.99', 13),
    ('2017-12-07', 'GTX 760', 'USD'): ('2', '258.61', '258.61', 1),
    ('2017-12-07', 'GTX 770', 'USD'): None,
    ('2017-12-07', 'GTX 960', 'USD'): ('2', '189.99', '223.63', 6),
    ('2017-12-07', 'RX 480', 'USD'): ('8', '229.99', '251.49', 14),
    ('2019-05-30', 'GTX 1050', 'USD'): ('2', '114.99', '140.51', 17),
    ('2019-05-30', 'GTX 960', 'USD'): ('2', '294.99', '305.00', 2),
    ('2019-05-30', 'RX 580', 'USD'): ('8', '164.99', '208.57', 22),
    ('2019-06-06', 'GTX 1050', 'EUR'): ('2', '99.90', '136.50', 18),
    ('2019-06-06', 'GTX 1050', 'GBP'): ('2', '95.44', '132.63', 18),
    ('2019-06-06', 'GTX 1050', 'USD'): ('2', '129.99', '152.49', 16),
    ('2019-06-06', 'GTX 750 Ti', 'GBP'): None,
    ('2019-06-06', 'GTX 960', 'EUR'): ('2', '223.53', '224.85', 3),
    ('2019-06-06', 'GTX 960', 'GBP'): ('2', '187.17', '196.65', 3),
    ('2019-06-06', 'GTX 960', 'USD'): ('2', '294.99', '305.00', 2),
    ('2019-06-06', 'RX 580', 'EUR'): ('8', '180.90', '205.62', 16),
    ('2019-06-06', 'RX 580', 'GBP'): ('8', '159.00', '201.98', 22),
    ('2019-06-06', 'RX 580', 'USD'): ('8', '168.00', '204.89', 21),
    ('2019-10-30', 'GTX 1050', 'USD'): ('2', '134.37', '232.50', 14),
    ('2019-10-30', 'GTX 960', 'USD'): ('2', '299.00', '312.50', 4),
    ('2019-10-30', 'RX 480', 'USD'): ('8', '429.00', '476.98', 2),
    ('2019-10-30', 'RX 580', 'USD'): ('8', '159.99', '244.99', 22),
    ('2020-05-12', 'GTX 1050', 'USD'): ('2', '183.99', '219.98', 5),
    ('2020-05-12', 'GTX 580', 'USD'): ('1.5', '881.51', '952.05', 2),
    ('2020-05-12', 'GTX 680', 'USD'): ('2', '738.00', '1047.08', 14),
    ('2020-05-12', 'RX 580', 'USD'): ('8', '154.99', '262.36', 22),
    ('2021-07-11', 'RX 580', 'USD'): ('8', '649.99', '649.99', 1),
    ('2023-07-05', 'Arc A770 16GB', 'USD'): ('16', '379.99', '379.99', 2),
    ('2023-07-05', 'GTX 760', 'USD'): None,
    ('2023-07-05', 'RX 480', 'USD'): None,
    ('2024-05-14', 'GTX 960', 'USD'): ('2', '199.99', '259.50', 2),
    ('2024-05-14', 'RX 580', 'USD'): ('8', '129.99', '272.97', 11),
}


def mended(rows, day, used):
    """Rows of a price file, without the two faults of OTHER_CARD and OTHER_MEMORY."""
    for r in rows:
        for pattern, was, now in OTHER_CARD:
            if r['device'] == was and r['market'].startswith('cloud:') and re.search(pattern, r['market']):
                r = {**r, 'device': now}
                used[pattern] += 1
        key = (day, r['device'], r['currency'])
        if r['market'] == 'pcpartpicker' and key in OTHER_MEMORY:
            used[key] += 1
            if OTHER_MEMORY[key] is None:
                continue
            memory, low, middle, n = OTHER_MEMORY[key]
            stat = re.search(r' stat=(\w+)', r['source'])[1]
            r = {**r, 'price': {'min': low, 'median': middle}[stat],
                 'source': re.sub(r' n=\d+', ' n=%d' % n, r['source']) + '; cards of %s GB only' % memory}
        yield r


def price_row(r):
    """The row with stat and n taken out of the text of its source."""
    source = r['source']
    stat, n = re.search(r' stat=(\w+)', source), re.search(r' n=(\d+)(?=\s|$)', source)
    for m in (stat, n):
        if m:
            source = source.replace(m[0], '', 1)
    return [r[c] for c in 'date,device,market,condition,currency,price,quantity'.split(',')] + [
        stat[1] if stat else '', n[1] if n else '', source]


def convert_prices(src, out, devices):
    header = 'date,device,market,condition,currency,price,quantity,stat,n,source'.split(',')
    os.makedirs(out + '/prices', exist_ok=True)
    counts, dated, used = collections.Counter(), set(), collections.Counter()
    for path in sorted(glob.glob(src + '/prices/*.csv')):
        name = os.path.basename(path)
        if not re.match(r'\d{4}-\d\d-\d\d\.csv|amazon-series\.csv|msrp\.csv', name):
            continue
        rows = read(path)
        unknown = {r['device'] for r in rows} - set(devices)
        assert not unknown, unknown
        kind = 'dated' if name[0].isdigit() else name
        if kind == 'dated':
            dated |= {tuple(sorted(r.items())) for r in rows}
            counts['dated files'] += 1
        rows = list(mended(rows, name[:10], used))
        write(out + '/prices/' + name, header, [price_row(r) for r in rows])
        counts[kind] += len(rows)
    # Each correction meets what it is for: four kinds of rows, and a minimum and a median.
    assert all(used[p] for p, _, _ in OTHER_CARD) and all(used[k] == 2 for k in OTHER_MEMORY), used
    left = [r for r in read(src + '/prices/cloud-dawnbench-2017-2020.csv') if tuple(sorted(r.items())) not in dated]
    assert not left, left
    return counts


def main():
    if len(sys.argv) != 3:
        sys.exit('usage: import_data.py SOURCE_DIR OUT_DIR')
    src, out = sys.argv[1].rstrip('/'), sys.argv[2].rstrip('/')
    devices = convert_devices(src, out)
    lookup, aliases = convert_aliases(src, out, devices)
    groups, taken, counts = convert_contributions(src, out)
    workloads, refused = convert_workloads(out, taken)
    convert_overrides(out, groups)
    failed = convert_failed(src, out)
    prices = convert_prices(src, out, devices)
    os.makedirs(out + '/system', exist_ok=True)
    for name in ('host_parts', 'host_systems', 'electricity', 'fx_to_usd'):
        shutil.copyfile('%s/system/%s.csv' % (src, name), '%s/system/%s.csv' % (out, name))
    write(out + '/estimates.csv', ['device', 'class', 'ratio', 'relative_to', 'date', 'source', 'text'],
          [['TPUv2', 'transformer', '1.56', 'Tesla V100 SXM2 16GB', '2019-04-03',
            'Dettmers, Which GPU for deep learning, 2019-04',
            "author's estimate: TPU about 56 % faster than a GPU on large Transformers; which GPU is not stated, "
            'a V100 is assumed'],
           # 3186 images/s beside 3128 of four V100: 4 x 3186 / 3128 of one, if four do four times one.
           ['TPUv2', 'cnn', '4.0742', 'Tesla V100 SXM2 16GB', '2018-04-26', 'RiseML, TPU v2 against four V100, 2018-04',
            'ResNet-50 on one four-chip TPUv2 beside four V100, taken as four times one V100']]
          + [['TPUv2', c, '', '', '2019-04-03', 'Dettmers, Which GPU for deep learning, 2019-04',
              'a report of February 2018 says that an LSTM did not converge on the TPU v2']
             for c in ('rnn-word', 'rnn-char')])

    print('devices %d, aliases %d, workloads %d, failed runs %d' % (len(devices), len(aliases), len(workloads), failed))
    print('contributions: %d files, %d rows in, %d rows out' % (len(groups), counts['in'], counts['out']))
    for s in SERIES:
        print('  %-20s %4d files %6d rows' % (s[0], sum(g[0] == s[0] for g in groups), counts[s[0]]))
    print('prices: %s' % dict(prices))
    print('refused by range: %s' % dict(refused))
    names = collections.Counter(r['device'] for _, _, r in taken)
    for name, n in sorted(names.items()):
        found = lookup.get(fold(name), set())
        if len(found) != 1:
            print('  %s %r: %d rows' % ('ambiguous' if found else 'unknown', name, n))


if __name__ == '__main__':
    main()
