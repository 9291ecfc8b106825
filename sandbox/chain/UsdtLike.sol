// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Trap} from "./Trap.sol";

/// A test token that behaves like Tether USD. Where the chains differ, it takes the harder behaviour. From Ethereum it
/// has the missing return values, the fee switch and the pause. From Polygon it has the block list with its names.
/// The block list refuses only a blocked sender. A payment to a blocked receiver succeeds, and its tokens are frozen.
contract UsdtLike is Trap {
    string public symbol;
    uint8 public immutable decimals;

    address public owner = msg.sender;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;
    uint256 public totalSupply;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlocked;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event BlockPlaced(address indexed _user);
    event BlockReleased(address indexed _user);
    event Issue(uint256 amount);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event Pause();
    event Unpause();

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    modifier whenNotPaused() {
        require(!paused);
        _;
    }

    function transfer(address to, uint256 value) external whenNotPaused {
        require(!isBlocked[msg.sender]);
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external whenNotPaused {
        require(!isBlocked[from]);
        allowance[from][msg.sender] -= value;
        move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        // Tether refuses to change an allowance that is not zero to another one that is not zero.
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function addToBlockedList(address user) external onlyOwner {
        isBlocked[user] = true;
        emit BlockPlaced(user);
    }

    function removeFromBlockedList(address user) external onlyOwner {
        isBlocked[user] = false;
        emit BlockReleased(user);
    }

    function issue(uint256 amount) external onlyOwner {
        totalSupply += amount;
        balanceOf[owner] += amount;
        emit Issue(amount);
    }

    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external onlyOwner {
        require(newBasisPoints < 20 && newMaxFee < 50);
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee * 10 ** decimals;
        emit Params(basisPointsRate, maximumFee);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpause();
    }

    function move(address from, address to, uint256 value) private {
        spring(to, value);
        uint256 fee = (value * basisPointsRate) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
        emit Transfer(from, to, value - fee);
    }
}
